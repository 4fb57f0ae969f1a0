// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace strata {
namespace {

int why_not_executable(const std::string &path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EACCES;
  return access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

}  // namespace

int find_program(const std::string &name, std::string &path) {
  if (name.empty()) return ENOENT;
  if (name.find('/') != std::string::npos) {
    path = name;
    return why_not_executable(path);
  }
  const char *variable = getenv("PATH");
  std::string_view rest = variable ? variable : "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
  int worst = ENOENT;
  while (true) {
    const size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    path = (folder.empty() ? "." : std::string(folder)) + "/" + name;
    const int err = why_not_executable(path);
    if (err == 0) return err;
    if (err == EACCES) worst = EACCES;
    if (colon == std::string_view::npos) return worst;
    rest.remove_prefix(colon + 1);
  }
}

}  // namespace strata
