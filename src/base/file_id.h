// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which file a descriptor is of, by whatever name it was opened.
#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>
#include <optional>

namespace strata {

struct FileId {
  uint64_t dev = 0, ino = 0;
  // clang-tidy 14 takes the 0 that an order is compared with for a pointer; to be removed with it.
  friend auto operator<=>(const FileId &, const FileId &) = default;  // NOLINT(modernize-use-nullptr)
};

[[nodiscard]] inline FileId file_id(int fd) {  // zeros if there is none
  struct stat status {};
  if (fstat(fd, &status) != 0) return {};
  return {.dev = status.st_dev, .ino = status.st_ino};
}

// None of what is not regular: two writers of a pipe or a device do no harm to each other.
[[nodiscard]] inline std::optional<FileId> regular_file_id(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileId{.dev = status.st_dev, .ino = status.st_ino};
}

}  // namespace strata
