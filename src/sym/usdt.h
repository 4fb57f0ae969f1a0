// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Static probes of programs (USDT), as <sys/sdt.h> leaves them in notes of the file, of which nothing is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace strata {

class ElfFile;

struct UsdtProbe {
  uint64_t address = 0;    // where it lies, as the symbols of its file have it
  uint64_t base = 0;       // where .stapsdt.base lay when the note was written, of a file that was prelinked later
  uint64_t semaphore = 0;  // a counter of those who look, of 16 bits; 0: it has none
  uint64_t offset = 0, semaphore_offset = 0;  // the same in the file, of usdt_probes(ElfFile)
  std::string provider, name;
  std::string arguments;  // where they are: "-4@%edi 8@%rbp"
};

// Of the section .note.stapsdt; what is cut short is left out.
std::vector<UsdtProbe> usdt_probes(std::span<const std::byte> notes, bool narrow);
// Those of a file, in its order; one name may be in several places. What lies in no code is left out.
std::vector<UsdtProbe> usdt_probes(const ElfFile &file);

}  // namespace strata
