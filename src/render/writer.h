// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Buffered output to a file or to standard output that keeps its first error instead of throwing: the other outputs
// of the run can still be finished, and nothing throws per event. A FILE.gz is compressed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_id.h"
#include "base/gzip.h"
#include "base/outlet.h"
#include "base/terminal.h"

namespace strata {

// A file that was not there. It is deleted unless something is written.
class NewFile {
 public:
  NewFile() = default;
  explicit NewFile(std::string path) : path_(std::move(path)) {}
  explicit operator bool() const { return !path_.empty(); }
  NewFile(NewFile &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  NewFile &operator=(NewFile &&other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~NewFile();
  void keep() { path_.clear(); }

 private:
  std::string path_;
};

class Writer {
 public:
  Writer() : held_(true) {}                  // of nothing
  explicit Writer(const std::string &file);  // created; empty: standard output. Throws Error

  void write(std::string_view text) {
    if (error_ != 0) return;
    buffer_ += text;
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void flush();  // the first time what an old file had is gone
  void close();

  // From the beginning on: nothing is written, and an old file stays as it is, unless release() comes before close().
  void hold() { held_ = true; }
  void release() { held_ = false; }
  // A regular file of its own, by its own name: each time all of what it has, in one step: who reads it finds the old
  // or the new. A new one may be read by everybody, as the umask has it: it is made to be collected.
  [[nodiscard]] bool replaceable() const;
  void replace(std::string_view text);
  // The file becomes FILE.1, in place of what had that name, and an empty one takes its name.
  void rotate();
  [[nodiscard]] uint64_t file_bytes() const { return file_bytes_ + buffer_.size(); }  // at most, once it is flushed

  // EPIPE: a pipe was closed; ETIMEDOUT: nobody reads, and the run is to end.
  [[nodiscard]] int error() const { return error_; }  // errno of the first failure; 0 if none
  [[nodiscard]] const std::string &name() const { return name_; }
  [[nodiscard]] std::optional<FileId> regular_file() const { return regular_file_id(outlet_.fd()); }
  void fail(int err) { error_ = error_ != 0 ? error_ : err; }
  [[nodiscard]] bool on_stdout() const { return on_stdout_; }
  [[nodiscard]] bool terminal() const { return terminal_; }  // and colour is welcome
  [[nodiscard]] size_t columns() const { return text_columns(outlet_.fd()); }
  [[nodiscard]] bool compresses() const { return gzip_.has_value(); }
  [[nodiscard]] size_t screen_lines() const { return strata::screen_lines(outlet_.fd()); }  // 0: it is no terminal

 private:
  void begin();
  [[nodiscard]] bool copy_owner(const Fd &to, bool is_new) const;
  void put(std::string_view bytes);

  static constexpr size_t kBufferBytes = 64 * 1024;

  NewFile new_file_;
  Outlet outlet_;
  Fd directory_;      // of replace()
  std::string name_;  // for messages: the file, or "standard output"
  std::string buffer_;
  std::optional<Gzip> gzip_;
  uint64_t file_bytes_ = 0;
  int error_ = 0;
  bool on_stdout_ = false;
  bool begun_ = false;
  bool held_ = false;
  bool terminal_ = false;
};

// All of it on standard output; a reader that has gone is no error. Throws Error.
void print(std::string_view text);

}  // namespace strata
