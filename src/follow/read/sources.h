// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the bytes of a read came from: the page cache, its own I/O, somebody else's that it waited for, or no I/O at
// all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "follow/ranges.h"
#include "model/field.h"

namespace strata {

struct Sources {
  uint64_t page_bytes = 4096;  // what a read must have in the page cache is whole pages
  Ranges own;                  // in bios that the read queued, its readahead too
  Ranges added;                // to the page cache by the read: without a bio they are a hole, or in the inode
  bool compressed = false;     // a bio did not say which of them it had: those that were added, then
  struct Other {
    Ranges bytes;
    std::string who;  // comm/tid
  };
  std::vector<Other> others;  // in bios of others that were under way

  // Of a read that returned [lo, hi) of a file of `size` bytes. What O_DIRECT (`direct`) did not get from the device it
  // got from no I/O: a hole, or the page cache where the file system falls back to it, which is seen only of
  // the pages that were added: then there may be readahead.
  [[nodiscard]] std::vector<NamedValue> fields(uint64_t lo, uint64_t hi, uint64_t size, bool direct) const;
};

extern const std::span<const Field *const> kSourceColumns;

}  // namespace strata
