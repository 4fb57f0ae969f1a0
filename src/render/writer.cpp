// Where bytes leave the program.
#include "render/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace strata {
namespace {

Fd open_output(const std::string &file) {
  const int fd = file.empty() ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                              : open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) throw system_error("cannot write " + (file.empty() ? "standard output" : printable(file)));
  return Fd(fd);
}

}  // namespace

Writer::Writer(const std::string &file) : Writer(open_output(file), file.empty() ? "standard output" : file) {}

Writer::Writer(Fd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {
  const char *no_color = getenv("NO_COLOR");
  terminal_ = isatty(fd_.get()) == 1 && (!no_color || !*no_color);
}

void Writer::flush() {
  size_t done = 0;
  while (error_ == 0 && done < buffer_.size()) {
    const ssize_t written = ::write(fd_.get(), buffer_.data() + done, buffer_.size() - done);
    if (written >= 0) {
      done += static_cast<size_t>(written);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  buffer_.clear();
}

void Writer::close() {
  flush();
  const int err = fd_.close();
  if (error_ == 0) error_ = err;
}

}  // namespace strata
