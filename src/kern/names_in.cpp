// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/names_in.h"

#include <dirent.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace strata {

std::vector<std::string> names_in(const std::string &directory) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR *)> entries(opendir(directory.c_str()), closedir);
  while (const dirent *entry = entries ? readdir(entries.get()) : nullptr)
    if (std::string_view(entry->d_name) != "." && std::string_view(entry->d_name) != "..")
      names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace strata
