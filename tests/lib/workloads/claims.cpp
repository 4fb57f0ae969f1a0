// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Writes what a hostile container may have for a C library: `claims FILE`. Of 64 bits, with 100 functions getaddrinfo,
// and a section of symbols that is said to have 3 GiB, in a file that takes some KiB on disk.
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

bool put(int fd, const void *data, size_t size, off_t at) {
  return pwrite(fd, data, size, at) == static_cast<ssize_t>(size);
}

}  // namespace

int main(int argc, char **argv) {
  constexpr std::string_view kText("\0getaddrinfo\0", 13);
  constexpr off_t kParts = 512, kSections = 1024, kTexts = 2048, kTable = 4096;
  constexpr size_t kClaimed = size_t{3} << 30;
  const int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0755) : -1;
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(header);
  header.e_type = ET_DYN;
#if defined(__x86_64__)
  header.e_machine = EM_X86_64;
#else
  header.e_machine = EM_AARCH64;
#endif
  header.e_phoff = kParts;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  header.e_shoff = kSections;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 2;
  Elf64_Phdr part = {};
  part.p_type = PT_LOAD;
  part.p_flags = PF_R | PF_X;
  part.p_filesz = part.p_memsz = kTable;
  Elf64_Shdr sections[2] = {};
  sections[0].sh_type = SHT_STRTAB;
  sections[0].sh_offset = kTexts;
  sections[0].sh_size = kText.size();
  sections[0].sh_addralign = 1;
  sections[1].sh_type = SHT_SYMTAB;
  sections[1].sh_offset = kTable;
  sections[1].sh_size = kClaimed;
  sections[1].sh_addralign = 8;
  sections[1].sh_entsize = sizeof(Elf64_Sym);
  Elf64_Sym symbols[100] = {};
  for (size_t i = 0; i < 100; i++) {
    symbols[i].st_name = 1;
    symbols[i].st_info = STT_FUNC;
    symbols[i].st_shndx = 1;
    symbols[i].st_value = 16 * (i % 10);
  }
  if (put(fd, &header, sizeof(header), 0) && put(fd, &part, sizeof(part), kParts) &&
      put(fd, sections, sizeof(sections), kSections) && put(fd, kText.data(), kText.size(), kTexts) &&
      put(fd, symbols, sizeof(symbols), kTable) && ftruncate(fd, kTable + static_cast<off_t>(kClaimed)) == 0)
    return 0;
  perror("claims");
  return 1;
}
