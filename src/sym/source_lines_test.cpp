// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/source_lines.h"

#include <dwarf.h>
#include <elf.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/test.h"

namespace strata {
namespace {

std::string text_of(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A file with nothing but a unit of DWARF 4 that has this code.
Fd with_a_unit(uint64_t from, uint64_t to) {
  struct [[gnu::packed]] Unit {
    uint32_t bytes = sizeof(Unit) - sizeof(bytes);
    uint16_t version = 4;
    uint32_t abbreviations = 0;
    uint8_t address_bytes = 8, number = 1;
    uint64_t low, bytes_of_code;
  };
  static constexpr uint8_t kAbbreviations[] = {
      1, DW_TAG_compile_unit, DW_CHILDREN_no, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8, 0, 0, 0};
  static constexpr std::string_view kNames("\0.shstrtab\0.debug_info\0.debug_abbrev", 37);
  struct {
    Elf64_Ehdr header = {};
    Elf64_Shdr sections[4] = {};
    Unit unit;
    uint8_t abbreviations[sizeof(kAbbreviations)];
    char names[kNames.size() + 1] = {};
  } all;
  memcpy(all.header.e_ident, ELFMAG, SELFMAG);
  all.header.e_ident[EI_CLASS] = ELFCLASS64;
  all.header.e_ident[EI_DATA] = ELFDATA2LSB;
  all.header.e_ident[EI_VERSION] = EV_CURRENT;
  all.header.e_type = ET_DYN;
  all.header.e_version = EV_CURRENT;
  all.header.e_ehsize = sizeof(all.header);
  all.header.e_shoff = offsetof(decltype(all), sections);
  all.header.e_shentsize = sizeof(Elf64_Shdr);
  all.header.e_shnum = 4;
  all.header.e_shstrndx = 1;
  const auto section = [&](size_t index, uint32_t name, uint32_t type, size_t at, size_t bytes) {
    all.sections[index].sh_name = name;
    all.sections[index].sh_type = type;
    all.sections[index].sh_offset = at;
    all.sections[index].sh_size = bytes;
  };
  section(1, 1, SHT_STRTAB, offsetof(decltype(all), names), sizeof(all.names));
  section(2, 11, SHT_PROGBITS, offsetof(decltype(all), unit), sizeof(all.unit));
  section(3, 23, SHT_PROGBITS, offsetof(decltype(all), abbreviations), sizeof(kAbbreviations));
  all.unit.low = from;
  all.unit.bytes_of_code = to - from;
  memcpy(all.abbreviations, kAbbreviations, sizeof(kAbbreviations));
  kNames.copy(all.names, kNames.size());
  Fd file(memfd_create("unit", MFD_CLOEXEC));
  REQUIRE(write(file.get(), &all, sizeof(all)) == sizeof(all));
  return file;
}

}  // namespace

// With a sanitizer the program has more memory than its reader may, before it begins.
constexpr bool kSanitized =
#if defined(__SANITIZE_ADDRESS__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

// What it knows of real files, tests/profile/lines.test shows.
TEST_CASE("whoever reads source lines may do nothing else, and none are had when it is gone") {
  const std::string children = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  SourceLines none(-1, -1);
  CHECK(none.at(0x1000).empty());
  CHECK(text_of(children).empty());  // it ended at once, and was waited for

  if (kSanitized) return;
  const Fd file = with_a_unit(0x1000, 0x2000);
  SourceLines lines(file.get(), -1);
  REQUIRE(lines.at(0x1000).size() == 1);
  CHECK(lines.at(0x1fff)[0].function.empty());
  CHECK(lines.at(0x2000).empty());

  const std::string child = text_of(children);
  REQUIRE_FALSE(child.empty());
  const int pid = atoi(child.c_str());
  const std::string proc = "/proc/" + std::to_string(pid);
  const std::string limits = text_of(proc + "/limits"), status = text_of(proc + "/status");
  CHECK(limits.find("Max open files            0 ") != std::string::npos);
  CHECK(limits.find("Max cpu time              10 ") != std::string::npos);
  CHECK(limits.find("Max address space         2147483648 ") != std::string::npos);
  CHECK(status.find("CapPrm:\t0000000000000000\nCapEff:\t0000000000000000") != std::string::npos);
  CHECK(status.find("NoNewPrivs:\t1") != std::string::npos);
  CHECK(access((proc + "/fd/1").c_str(), F_OK) != 0);

  CHECK(lines.at(0x1800).size() == 1);
  CHECK(text_of(children) == child);  // it is asked again, not started again
  kill(pid, SIGKILL);
  CHECK(lines.at(0x1000).empty());
  CHECK(lines.at(0x1000).empty());
  CHECK(text_of(children).empty());
}

}  // namespace strata
