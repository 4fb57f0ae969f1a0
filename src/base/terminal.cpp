// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace strata {
namespace {

constexpr size_t kUsual = 80, kLeast = 20, kMost = 1000;

std::string_view environment(const char *name) {
  const char *value = getenv(name);
  return value != nullptr ? value : "";
}

winsize size_of(int fd) {
  winsize size = {};
  return isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

}  // namespace

size_t text_columns(int fd) {
  uint64_t asked = 0;
  const size_t columns = parse_number(environment("COLUMNS"), asked) ? asked : size_of(fd).ws_col;
  return columns > 0 && columns <= kMost ? std::max(columns, kLeast) : kUsual;
}

size_t screen_lines(int fd) {
  const std::string_view kind = environment("TERM");
  return kind.empty() || kind == "dumb" ? 0 : size_of(fd).ws_row;
}

bool is_attended() { return isatty(STDERR_FILENO) == 1 && (isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1); }

}  // namespace strata
