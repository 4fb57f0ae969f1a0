// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/own_pages.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace strata {
namespace {

// Only what is never written: a page in which addresses were relocated is not the file's any more.
int drop_program(dl_phdr_info *info, size_t, void *) {
  const auto page = static_cast<uintptr_t>(getpagesize());
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto &segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    const uintptr_t from = (info->dlpi_addr + segment.p_vaddr) & ~(page - 1);
    const uintptr_t to = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
    madvise(reinterpret_cast<void *>(from), to - from, MADV_DONTNEED);
  }
  return 1;  // the first is the program; libraries, of a build that is not static, are others' too
}

}  // namespace

void drop_own_pages() { dl_iterate_phdr(drop_program, nullptr); }

}  // namespace strata
