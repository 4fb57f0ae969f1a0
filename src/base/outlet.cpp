// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A pipe and a terminal are opened again by /proc/self/fd, which gives a description of our own: O_NONBLOCK would be
// seen by the shell and by the command as well. Where that is refused (no /proc, a terminal of another user), poll(2)
// goes before each write of PIPE_BUF, which a pipe that polls writable takes at once. A socket has MSG_DONTWAIT.
// Rejected: signals that interrupt write(2), for one that comes just before it does not; a thread for each output.
#include "base/outlet.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

#include "base/ending.h"

namespace strata {
namespace {

Fd opened_again(int fd) {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  return Fd(open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

bool make_non_blocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

}  // namespace

Outlet::Outlet(Fd fd, bool own) : fd_(std::move(fd)) {
  struct stat status {};
  if (fstat(fd_.get(), &status) != 0) return;
  if (S_ISSOCK(status.st_mode)) mode_ = Mode::kSend;
  if (!S_ISFIFO(status.st_mode) && isatty(fd_.get()) != 1) return;
  if (own && make_non_blocking(fd_.get())) return;
  if (Fd again = opened_again(fd_.get())) {
    fd_ = std::move(again);
  } else {
    mode_ = Mode::kPoll;
  }
}

// What was waited for in vain once, is not again: a hundred messages would take a hundred seconds.
bool Outlet::wait() {
  stuck_ = stuck_ || !wait_for(fd_.get(), POLLOUT, hurried_);
  return !stuck_;
}

int Outlet::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (mode_ == Mode::kPoll && !wait()) return ETIMEDOUT;
    const size_t size = mode_ == Mode::kPoll ? std::min<size_t>(bytes.size(), PIPE_BUF) : bytes.size();
    const ssize_t written = mode_ == Mode::kSend ? send(fd_.get(), bytes.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL)
                                                 : ::write(fd_.get(), bytes.data(), size);
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
      stuck_ = false;
    } else if (errno == EAGAIN) {
      if (!wait()) return ETIMEDOUT;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

Outlet outlet_of(int fd) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  return Outlet(Fd(copy < 0 && errno == EMFILE ? fd : copy), false);
}

void say_text(std::string_view text) {
  static Outlet messages = outlet_of(STDERR_FILENO);
  if (messages.write(text) != 0) return;  // there is nobody else to tell
}

void say(const char *format, ...) {
  char line[4096];
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  if (length > 0 && static_cast<size_t>(length) < sizeof(line)) {
    say_text({line, static_cast<size_t>(length)});
  } else if (length > 0) {
    std::string text(static_cast<size_t>(length) + 1, '\0');
    vsnprintf(text.data(), text.size(), format, again);
    say_text(std::string_view(text).substr(0, static_cast<size_t>(length)));
  }
  va_end(again);
}

}  // namespace strata
