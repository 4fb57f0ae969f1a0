// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/file_system.h"

#include <algorithm>

#include "base/lines.h"

namespace strata {

namespace {

// The magic numbers are those of linux/magic.h, of bcachefs and of OpenZFS. Files of nfs 4 are read and written by the
// functions of nfs; those of overlay by the ones of the file system beneath.
constexpr FileSystem kFileSystems[] = {
    {"ext4", "ext4", 0xef53, "ext4_file_read_iter", "ext4_file_write_iter", "ext4_file_open", "ext4_sync_file"},
    {"xfs", "xfs", 0x58465342, "xfs_file_read_iter", "xfs_file_write_iter", "xfs_file_open", "xfs_file_fsync"},
    {"btrfs", "btrfs", 0x9123683e, "btrfs_file_read_iter", "btrfs_file_write_iter", "btrfs_file_open",
     "btrfs_sync_file"},
    {"f2fs", "f2fs", 0xf2f52010, "f2fs_file_read_iter", "f2fs_file_write_iter", "f2fs_file_open", "f2fs_sync_file"},
    {"nfs", "nfs", 0x6969, "nfs_file_read", "nfs_file_write", "nfs_file_open", "nfs_file_fsync"},
    {"nfs", "nfs4", 0x6969, nullptr, nullptr, "nfs4_file_open", nullptr},
    {"fuse", "fuse", 0x65735546, "fuse_file_read_iter", "fuse_file_write_iter", "fuse_open", "fuse_fsync"},
    {"bcachefs", "bcachefs", 0xca451a4e, "bch2_read_iter", "bch2_write_iter", "bch2_open", "bch2_fsync"},
    {"zfs", "zfs", 0x2fc12fc1, "zpl_iter_read", "zpl_iter_write", "zpl_open", "zpl_fsync"},
    {"overlay", "overlay", 0x794c7630, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

std::span<const FileSystem> file_systems() { return kFileSystems; }

std::string_view file_system_name(uint32_t number) {
  return number < std::size(kFileSystems) ? kFileSystems[number].type : "?";
}

const FileSystem *find_file_system(std::string_view type) {
  const auto *found =
      std::find_if(std::begin(kFileSystems), std::end(kFileSystems), [&](const auto &fs) { return fs.type == type; });
  return found == std::end(kFileSystems) ? nullptr : found;
}

std::set<std::string, std::less<>> registered_file_systems() {
  std::set<std::string, std::less<>> types;
  Lines file("/proc/filesystems");
  for (std::string line; file.next(line);) types.insert(line.substr(line.find('\t') + 1));
  return types;
}

}  // namespace strata
