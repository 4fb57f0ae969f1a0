// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/path.h"

#include <cstring>

namespace strata {

std::string path_of(const path_names &path) {
  std::string text;
  size_t at = 0;
  while (at < path.bytes && at < sizeof(path.names)) {
    const std::string name(path.names + at, strnlen(path.names + at, sizeof(path.names) - at));
    at += name.size() + 1;
    text.insert(0, "/" + name);
  }
  if (path.whole && text.empty()) return "/";
  return path.whole ? text : "..." + text;
}

}  // namespace strata
