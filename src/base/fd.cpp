// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Closing, the only system call of Fd.
#include "base/fd.h"

#include <unistd.h>

#include <cerrno>

namespace strata {

void Fd::reset(int fd) {
  const int saved_errno = errno;
  close();
  errno = saved_errno;
  fd_ = fd;
}

int Fd::close() {
  const int fd = std::exchange(fd_, -1);
  return fd < 0 || ::close(fd) == 0 ? 0 : errno;
}

}  // namespace strata
