// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/debug_file.h"

#include <elf.h>
#include <lzma.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/test.h"
#include "sym/elf.h"

namespace strata {
namespace {

// A program with nothing but a section .gnu_debugdata.
Fd packed(const std::vector<uint8_t> &data) {
  constexpr std::string_view kNames("\0.gnu_debugdata", 16);
  struct {
    Elf64_Ehdr header;
    Elf64_Phdr part;
    Elf64_Shdr names, data;
  } head = {};
  memcpy(head.header.e_ident, ELFMAG, SELFMAG);
  head.header.e_ident[EI_CLASS] = ELFCLASS64;
  head.header.e_ident[EI_DATA] = ELFDATA2LSB;
#if defined(__x86_64__)
  head.header.e_machine = EM_X86_64;
#else
  head.header.e_machine = EM_AARCH64;
#endif
  head.header.e_phoff = offsetof(decltype(head), part);
  head.header.e_phentsize = sizeof(head.part);
  head.header.e_phnum = 1;
  head.header.e_shoff = offsetof(decltype(head), names);
  head.header.e_shentsize = sizeof(head.names);
  head.header.e_shnum = 2;
  head.part.p_type = PT_LOAD;
  head.part.p_flags = PF_X;
  head.names.sh_type = SHT_STRTAB;
  head.names.sh_offset = sizeof(head);
  head.names.sh_size = kNames.size();
  head.data.sh_type = SHT_PROGBITS;
  head.data.sh_name = 1;
  head.data.sh_offset = sizeof(head) + kNames.size();
  head.data.sh_size = data.size();
  Fd file(memfd_create("packed", MFD_CLOEXEC));
  REQUIRE(write(file.get(), &head, sizeof(head)) == sizeof(head));
  REQUIRE(write(file.get(), kNames.data(), kNames.size()) == kNames.size());
  REQUIRE(write(file.get(), data.data(), data.size()) == static_cast<ssize_t>(data.size()));
  return file;
}

std::vector<uint8_t> xz(const std::vector<uint8_t> &plain) {
  std::vector<uint8_t> out(plain.size() + 4096);
  size_t bytes = 0;
  REQUIRE(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, nullptr, plain.data(), plain.size(), out.data(), &bytes,
                                  out.size()) == LZMA_OK);
  out.resize(bytes);
  return out;
}

}  // namespace

TEST_CASE("packed symbols come out as they went in, if they are whole and no more than symbols are") {
  const std::vector<uint8_t> plain(200'000, 'x');
  const Fd file = packed(xz(plain));
  const Fd unpacked = unpacked_debug_data(ElfFile(file.get()));
  struct stat status {};
  REQUIRE(fstat(unpacked.get(), &status) == 0);
  CHECK(status.st_size == 200'000);

  std::vector<uint8_t> half = xz(plain);
  half.resize(half.size() / 2);
  const Fd cut = packed(half);
  CHECK_FALSE(unpacked_debug_data(ElfFile(cut.get())));
  const Fd nonsense = packed(plain);
  CHECK_FALSE(unpacked_debug_data(ElfFile(nonsense.get())));
  const Fd bomb = packed(xz(std::vector<uint8_t>(40 << 20)));  // 6 KiB
  CHECK_FALSE(unpacked_debug_data(ElfFile(bomb.get())));
}

}  // namespace strata
