// Buffered output to a file or to standard output that keeps its first error instead of throwing: the other outputs
// of the run can still be finished, and nothing throws per event.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"

namespace strata {

class Writer {
 public:
  explicit Writer(const std::string &file);  // created or truncated; empty: standard output. Throws Error
  Writer(Fd fd, std::string name);           // for tests

  void write(std::string_view text) {
    if (error_ != 0) return;
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void flush();
  void close();

  [[nodiscard]] int error() const { return error_; }  // errno of the first failure, EPIPE for a closed pipe; 0 if none
  [[nodiscard]] const std::string &name() const { return name_; }
  [[nodiscard]] bool terminal() const { return terminal_; }  // and colour is welcome

 private:
  static constexpr size_t kBufferBytes = 64 * 1024;

  Fd fd_;
  std::string name_;  // for messages: the file, or "standard output"
  std::string buffer_;
  int error_ = 0;
  bool terminal_ = false;
};

}  // namespace strata
