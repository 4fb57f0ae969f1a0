#include "bpf/self_offset.h"

#include <link.h>

namespace strata {

namespace {

[[gnu::noinline, gnu::used]] void idle_function() { asm volatile(""); }

struct Search {
  uint64_t address;
  uint64_t offset;
};

// The first object that is listed is the program itself.
int look_in_program(dl_phdr_info *info, size_t /*size*/, void *context) {
  Search &search = *static_cast<Search *>(context);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || search.address < start || search.address >= start + part.p_filesz) continue;
    search.offset = search.address - start + part.p_offset;
  }
  return 1;
}

}  // namespace

uint64_t offset_of_idle_function() {
  Search search = {.address = reinterpret_cast<uint64_t>(&idle_function), .offset = 0};
  dl_iterate_phdr(look_in_program, &search);
  return search.offset;
}

}  // namespace strata
