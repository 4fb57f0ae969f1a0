// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/proc.h"

#include <charconv>
#include <cstdio>

#include "base/lines.h"

namespace strata {
namespace {

// Of the first line that begins with `key`; 0 if there is none.
template <typename Number>
Number number_of_key(std::string_view key, int base, Lines &file) {
  Number number = 0;
  for (std::string line; file.next(line);) {
    if (!line.starts_with(key)) continue;
    std::from_chars(line.data() + key.size(), line.data() + line.size(), number, base);
    break;
  }
  return number;
}

}  // namespace

// "0000000000000000 t nvme_irq\t[nvme]"
std::string_view text_symbol(std::string_view line) {
  const size_t kind = line.find(' ');
  if (kind == std::string_view::npos || kind + 3 > line.size()) return "";
  if (line[kind + 1] != 't' && line[kind + 1] != 'T') return "";
  const std::string_view name = line.substr(kind + 3);
  return name.substr(0, name.find('\t'));
}

uint64_t effective_capabilities(Lines &status) { return number_of_key<uint64_t>("CapEff:\t", 16, status); }

uint32_t thread_group(Lines &status) { return number_of_key<uint32_t>("Tgid:\t", 10, status); }

uint32_t parent_process(Lines &status) { return number_of_key<uint32_t>("PPid:\t", 10, status); }

std::string chosen_word(std::string_view words) {
  const size_t open = words.find('[');
  const size_t close = words.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return "";
  return std::string(words.substr(open + 1, close - open - 1));
}

std::string mount_point_of(std::string_view type, Lines &mounts) {
  for (std::string line; mounts.next(line);) {
    const size_t device = line.find(' '), path = line.find(' ', device + 1);
    if (path == std::string::npos) continue;
    if (line.substr(path + 1, line.find(' ', path + 1) - path - 1) == type)
      return line.substr(device + 1, path - device - 1);
  }
  return "";
}

std::optional<uint32_t> mounted_device(uint64_t mount_id, Lines &mountinfo) {
  for (std::string line; mountinfo.next(line);) {
    unsigned long long id = 0;
    unsigned major = 0, minor = 0;
    if (sscanf(line.c_str(), "%llu %*u %u:%u", &id, &major, &minor) == 3 && id == mount_id) return major << 20 | minor;
  }
  return std::nullopt;
}

std::string value_of_key(std::string_view key, Lines &uevent) {
  std::string value;
  for (std::string line; uevent.next(line);) {
    if (line.starts_with(key) && line.substr(key.size(), 1) == "=") value = line.substr(key.size() + 1);
  }
  return value;
}

}  // namespace strata
