// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Addresses in the kernel, which records have as identities: of a socket, a request, a place in the code. They would
// tell whoever reads an output or a recording where this kernel lies in memory (what KASLR hides), and have more digits
// than a double. So they are numbered in the order in which they appear, before anybody sees the record. A replay does
// the same, which changes nothing in a recording that has numbers, and takes the addresses out of an older one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/record.h"

namespace strata {

class Pointers {
 public:
  // The record with numbers in its fields that are pointers: itself if the type has none, else until the next call.
  const void *numbered(const RecordType &type, const void *record, size_t size);
  void number_all(const RecordType &type, std::byte *record, size_t size);  // the same, where it lies

  uint64_t number(uint64_t address);                      // from 1 on; 0 of 0, and of all bits all bits
  [[nodiscard]] uint64_t address(uint64_t number) const;  // back; 0 of what is no number

 private:
  std::unordered_map<uint64_t, uint64_t> numbers_;  // the kernel uses addresses again: there are not more than objects
  std::vector<uint64_t> addresses_;
  std::vector<std::byte> copy_;
};

}  // namespace strata
