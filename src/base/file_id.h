// Which file a descriptor is of, by whatever name it was opened.
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace strata {

struct FileIdentity {
  explicit FileIdentity(int fd) {
    struct stat status {};
    if (fstat(fd, &status) != 0) return;
    device = status.st_dev;
    inode = status.st_ino;
    regular = S_ISREG(status.st_mode);
  }

  // Two writers of a pipe or a device do no harm to each other.
  [[nodiscard]] bool same_regular(const FileIdentity &other) const {
    return regular && other.regular && device == other.device && inode == other.inode;
  }

  uint64_t device = 0, inode = 0;
  bool regular = false;
};

}  // namespace strata
