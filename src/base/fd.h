// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The owner of a file descriptor.
#pragma once

#include <utility>

namespace strata {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd &operator=(Fd &&other) noexcept {
    reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1);
  int close();  // 0, or the errno of close(2), which is where some file systems report a full disk

 private:
  int fd_ = -1;
};

}  // namespace strata
