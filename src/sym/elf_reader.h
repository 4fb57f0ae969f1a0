// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Reads of one ELF file. Files of containers are read, too, as root, so nothing in them is believed, and what they cost
// is bounded: in memory and reading by what they take on disk, and in time. A sparse file of 4 KiB that claimed 3 GiB
// of symbols took 3 GB of memory and half a minute. They are read and not mapped: a mapped file that is cut short kills
// its reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace strata {

class ElfReader {
 public:
  ElfReader(int fd, uint64_t bytes, uint64_t stored);  // the file's size, and what of it is on disk

  // False if the file does not have all of them, or nothing more may be read.
  bool read(uint64_t offset, void *to, size_t size);

  // Entries of a table of the file. False, and none, if it cannot have them.
  template <typename Entry>
  bool read_table(uint64_t offset, uint64_t count, std::vector<Entry> &entries) {
    entries.clear();
    if (!may_read(offset, count, sizeof(Entry))) return false;
    entries.resize(count);
    if (read(offset, entries.data(), count * sizeof(Entry))) return true;
    entries.clear();
    return false;
  }

  bool goes_on();  // there is time left, and a read was not refused
  void stop(std::string_view why) { why_ = why; }
  [[nodiscard]] std::string_view why() const { return why_; }  // nothing more is read; "" if all was

 private:
  bool may_read(uint64_t offset, uint64_t count, size_t size);

  int fd_;
  uint64_t bytes_, budget_;
  int64_t until_ns_;
  std::string_view why_;
};

}  // namespace strata
