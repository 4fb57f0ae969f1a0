// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// File systems: the functions by which the kernel reads, writes, opens and syncs their files, and which there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace strata {

struct FileSystem {
  std::string_view type;                    // as mount(8) and strata's users name it
  std::string_view registered;              // in /proc/filesystems
  uint64_t magic;                           // of its super blocks
  const char *read, *write, *open, *fsync;  // nullptr: another entry of the same type has it, or a file system beneath
};

// Numbered as in recordings: add at the end.
std::span<const FileSystem> file_systems();
std::string_view file_system_name(uint32_t number);  // "ext4"; "?" if unknown
const FileSystem *find_file_system(std::string_view type);

// Of /proc/filesystems: the last word of each line. Empty if it cannot be read.
std::set<std::string, std::less<>> registered_file_systems();

}  // namespace strata
