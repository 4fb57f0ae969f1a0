// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/fd.h"
#include "base/text.h"

namespace strata {

std::string whole_file(const std::string &path, const std::string &what, size_t most, int exit_status,
                       const std::string &hint) {
  const auto fail = [&](const char *does) {
    throw Error(system_error(std::string("cannot ") + does + " " + what + (errno == ENOENT ? hint : "")).what(),
                exit_status);
  };
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) fail("open");
  std::string text;
  char part[4096];
  for (ssize_t got; (got = read(file.get(), part, sizeof(part))) != 0;) {
    if (got < 0) fail("read");
    text.append(part, static_cast<size_t>(got));
    if (text.size() > most) throw Error(what + " is longer than " + scaled_bytes(most), exit_status);
  }
  return text;
}

void write_all(const Fd &file, std::string_view bytes, const std::string &what) {
  while (!bytes.empty()) {
    const ssize_t n = write(file.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw system_error("cannot write " + what);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

}  // namespace strata
