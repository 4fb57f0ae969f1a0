// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/elf.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "base/fd.h"
#include "base/test.h"

extern "C" [[gnu::noinline, gnu::used]] int strata_test_function(int n) { return n * 3 + 1; }
extern "C" {
// A sanitizer would put room behind it, which its symbol has then, too.
#ifdef __clang__
[[gnu::used, clang::no_sanitize("address")]] uint32_t strata_test_number = 3;
#else
[[gnu::used]] uint32_t strata_test_number = 3;
#endif
}

namespace strata {
namespace {

constexpr std::string_view kNames[] = {"no_such_function", "strata_test_function"};

// A library of 64 bits with `symbols` of one name, of 2,000 bytes at most, each at a place of its own, in a file that
// says it has `claimed` of them.
Fd made(uint64_t symbols, uint64_t claimed, const std::string &name = "strata_test_function") {
  const std::string text = '\0' + name + '\0';
  constexpr uint64_t kTable = 4096;
  Fd file(memfd_create("library", MFD_CLOEXEC));
  Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
#if defined(__x86_64__)
  header.e_machine = EM_X86_64;
#else
  header.e_machine = EM_AARCH64;
#endif
  header.e_phoff = 512;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  header.e_shoff = 1024;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 2;
  Elf64_Phdr part = {};
  part.p_type = PT_LOAD;
  part.p_flags = PF_R | PF_X;
  part.p_filesz = UINT64_C(1) << 40;
  Elf64_Shdr sections[2] = {};
  sections[0].sh_type = SHT_STRTAB;
  sections[0].sh_offset = 2048;
  sections[0].sh_size = text.size();
  sections[1].sh_type = SHT_SYMTAB;
  sections[1].sh_name = 1;
  sections[1].sh_offset = kTable;
  sections[1].sh_size = claimed * sizeof(Elf64_Sym);
  std::vector<Elf64_Sym> table(symbols);
  for (uint64_t i = 0; i < symbols; i++) {
    table[i].st_name = 1;
    table[i].st_info = STT_FUNC;
    table[i].st_shndx = 1;
    table[i].st_value = 16 * i;
  }
  const auto put = [&](const void *data, size_t size, uint64_t at) {
    REQUIRE(pwrite(file.get(), data, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size));
  };
  put(&header, sizeof(header), 0);
  put(&part, sizeof(part), 512);
  put(sections, sizeof(sections), 1024);
  put(text.data(), text.size(), 2048);
  put(table.data(), table.size() * sizeof(table[0]), kTable);
  REQUIRE(ftruncate(file.get(), static_cast<off_t>(kTable + claimed * sizeof(Elf64_Sym))) == 0);
  return file;
}

}  // namespace

TEST_CASE("the checksum of a file's bytes, if it has them") {
  const Fd file(memfd_create("library", MFD_CLOEXEC));
  REQUIRE(pwrite(file.get(), "123456789", 9, 0) == 9);
  CHECK(ElfFile(file.get()).checksum() == 0xcbf43926);  // the check value of CRC-32
  CHECK(ElfFile(made(7, 7).get()).checksum());
  CHECK_FALSE(ElfFile(made(7, UINT64_C(1) << 30).get()).checksum());  // 24 GiB of zeros that are not on disk
}

TEST_CASE("a library of another's making: its symbols") {
  const Fd file = made(7, 7);
  const ElfFile elf(file.get());
  REQUIRE(elf.valid());
  const ElfFile::Functions functions = elf.functions(kNames);
  REQUIRE(functions.found.size() == 7);
  CHECK(functions.found[6].offset == 96);
  CHECK(functions.why_not_all.empty());
}

TEST_CASE("a symbol by its name, in a file that lies anywhere or not") {
  const Fd self(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const ElfFile elf(self.get());
  uint64_t base = 0;
  const auto take_base = [](dl_phdr_info *info, size_t, void *to) {
    *static_cast<uint64_t *>(to) = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(take_base, &base);
  CHECK(elf.moves() == (base != 0));
  const std::optional<ElfFile::Symbol> found = elf.symbol("strata_test_number");
  REQUIRE(found);
  CHECK(base + found->address == reinterpret_cast<uint64_t>(&strata_test_number));
  CHECK(found->bytes == sizeof(strata_test_number));
  CHECK_FALSE(elf.symbol("no_such_symbol"));
  const uint64_t entry = elf.entry();
  CHECK(elf.address_of(elf.offset_of(entry).value_or(0)) == entry);
}

TEST_CASE("a symbol whose name is longer than what is read at once") {
  const std::string name = std::string(1500, 'a') + "z";
  const Fd file = made(7, 7, name);
  const ElfFile elf(file.get());
  CHECK(elf.symbol(name));
  CHECK_FALSE(elf.symbol(std::string(1023, 'a')));
  CHECK_FALSE(elf.symbol(std::string(1500, 'a')));
  CHECK_FALSE(elf.symbol(std::string(1501, 'a')));
  CHECK_FALSE(elf.symbol(name + "z"));
}

TEST_CASE("symbols of 3 GiB, of which a page is on disk, are not read") {
  const Fd file = made(7, (UINT64_C(3) << 30) / sizeof(Elf64_Sym));
  const ElfFile elf(file.get());
  REQUIRE(elf.valid());
  const ElfFile::Functions functions = elf.functions(kNames);
  CHECK(functions.found.size() == 7);
  CHECK(functions.why_not_all == "they are more than the file has on disk");
  rusage usage = {};
  REQUIRE(getrusage(RUSAGE_SELF, &usage) == 0);
  CHECK(usage.ru_maxrss < 1 << 20);  // KiB
}

TEST_CASE("a name at 200,000 places has no more than some") {
  const Fd file = made(200'000, 200'000);
  const ElfFile::Functions functions = ElfFile(file.get()).functions(kNames);
  CHECK(functions.found.size() == ElfFile::kMostPlaces);
  CHECK(functions.why_not_all == "they are too many places");
}

TEST_CASE("a function's place in its file is where its code stands") {
  const Fd self(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const ElfFile elf(self.get());
  REQUIRE(elf.valid());
  CHECK_FALSE(elf.narrow());
  const std::vector<ElfFile::Function> found = elf.functions(kNames).found;
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == 1);
  char code[8] = {};
  REQUIRE(pread(self.get(), code, sizeof(code), static_cast<off_t>(found[0].offset)) == sizeof(code));
  CHECK(memcmp(code, reinterpret_cast<const void *>(&strata_test_function), sizeof(code)) == 0);
}

TEST_CASE("a section is what the program has in memory") {
  const Fd self(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const ElfFile elf(self.get());
  const ElfFile::Section section = elf.section(".eh_frame");
  REQUIRE(section.bytes.size() > 10'000);
  uint64_t base = 0;
  const auto take_base = [](dl_phdr_info *info, size_t, void *to) {
    *static_cast<uint64_t *>(to) = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(take_base, &base);
  CHECK(memcmp(section.bytes.data(), reinterpret_cast<const void *>(base + section.address), section.bytes.size()) ==
        0);
  CHECK(elf.section(".no_such_section").bytes.empty());
  CHECK(elf.section(".bss").bytes.empty());
}

TEST_CASE("a section of 3 GiB, of which a page is on disk, is not read") {
  const Fd file = made(7, (UINT64_C(3) << 30) / sizeof(Elf64_Sym));
  const ElfFile::Section section = ElfFile(file.get()).section("strata_test_function");  // as its table is called
  CHECK(section.bytes.empty());
  CHECK(section.why_not == "they are more than the file has on disk");
}

TEST_CASE("what is no ELF file has no functions") {
  for (const char *path : {"/dev/null", "/proc/self/status", "/"}) {
    const Fd file(open(path, O_RDONLY | O_CLOEXEC));
    const ElfFile elf(file.get());
    CHECK_FALSE(elf.valid());
    CHECK(elf.functions(kNames).found.empty());
  }
}

}  // namespace strata
