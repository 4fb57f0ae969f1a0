// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/appended.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fd.h"
#include "base/text.h"
#include "base/whole_file.h"

namespace strata {
namespace {

constexpr uint64_t kMostText = 1 << 20;

// At the end of the file, behind the text.
struct Trailer {
  uint64_t bytes;
  char magic[8];
};
constexpr char kMagic[] = "strata+1";
constexpr const char *kProgram = "the program";  // what is written

struct Own {
  Fd file;
  uint64_t program = 0, text = 0;  // bytes of each
};

Own own_file() {
  Own own = {.file = Fd(open("/proc/self/exe", O_RDONLY | O_CLOEXEC))};
  struct stat status = {};
  Trailer trailer = {};
  if (!own.file || fstat(own.file.get(), &status) != 0) return own;
  own.program = static_cast<uint64_t>(status.st_size);
  if (own.program < sizeof(trailer)) return own;
  const uint64_t at = own.program - sizeof(trailer);
  if (pread(own.file.get(), &trailer, sizeof(trailer), static_cast<off_t>(at)) != sizeof(trailer)) return own;
  if (memcmp(trailer.magic, kMagic, sizeof(trailer.magic)) != 0 || trailer.bytes > kMostText || trailer.bytes > at)
    return own;
  own.text = trailer.bytes;
  own.program = at - own.text;
  return own;
}

void write_copy(const Own &own, const Fd &to, std::string_view text) {
  std::vector<char> part(1 << 16);
  for (uint64_t at = 0; at < own.program;) {
    const ssize_t n =
        pread(own.file.get(), part.data(), std::min<uint64_t>(part.size(), own.program - at), static_cast<off_t>(at));
    if (n <= 0) throw system_error("cannot read this program");
    write_all(to, {part.data(), static_cast<size_t>(n)}, kProgram);
    at += static_cast<uint64_t>(n);
  }
  Trailer trailer = {.bytes = text.size(), .magic = {}};
  memcpy(trailer.magic, kMagic, sizeof(trailer.magic));
  write_all(to, text, kProgram);
  write_all(to, {reinterpret_cast<const char *>(&trailer), sizeof(trailer)}, kProgram);
}

}  // namespace

std::optional<std::string> appended_text() {
  const Own own = own_file();
  std::string text(own.text, '\0');
  if (own.text == 0 ||
      pread(own.file.get(), text.data(), own.text, static_cast<off_t>(own.program)) != static_cast<ssize_t>(own.text))
    return std::nullopt;
  return text;
}

void write_with_text(const std::string &path, std::string_view text) {
  if (text.size() > kMostText) throw Error("the text is longer than 1 MiB");
  const Own own = own_file();
  if (own.program == 0) throw system_error("cannot read this program");
  const std::string unfinished = path + ".new";
  Fd to(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0777));
  if (!to) throw system_error("cannot make " + printable(unfinished));
  try {
    write_copy(own, to, text);
    if (const int err = to.close(); err != 0) throw system_error("cannot write " + printable(unfinished), err);
    if (rename(unfinished.c_str(), path.c_str()) != 0) throw system_error("cannot make " + printable(path));
  } catch (const Error &) {
    unlink(unfinished.c_str());
    throw;
  }
}

}  // namespace strata
