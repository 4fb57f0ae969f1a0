// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/instructions.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/test.h"
#include "base/whole_file.h"

namespace strata {
namespace {

std::vector<std::byte> code_of(const std::string &hex) {
  std::vector<std::byte> code;
  for (size_t i = 0; i + 1 < hex.size(); i += 3) code.push_back(std::byte(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return code;
}

size_t bytes_of(const std::string &hex) { return x86_instruction_bytes(code_of(hex)); }

}  // namespace

TEST_CASE("an instruction has the bytes that Intel's manual says") {
  for (const std::string one : {
           "55",                             // push %rbp
           "48 89 e5",                       // mov %rsp,%rbp
           "f3 0f 1e fa",                    // endbr64
           "64 48 8b 04 25 28 00 00 00",     // mov %fs:0x28,%rax: SIB without a base
           "48 8d 05 11 22 33 44",           // lea 0x44332211(%rip),%rax
           "8b 44 24 08",                    // mov 0x8(%rsp),%eax
           "66 b8 34 12",                    // mov $0x1234,%ax
           "48 b8 01 02 03 04 05 06 07 08",  // movabs
           "a1 01 02 03 04 05 06 07 08",     // movabs 0x807060504030201,%eax
           "67 a1 01 02 03 04",              // the same with an address of 32 bits
           "f7 c7 01 02 03 04",              // test $0x4030201,%edi
           "f7 d7",                          // not %edi
           "f6 c2 01",                       // test $0x1,%dl
           "c8 01 02 03",                    // enter
           "e8 01 02 03 04",                 // call
           "0f 84 01 02 03 04",              // je
           "66 0f 3a 0f c1 08",              // palignr
           "66 2e 0f 1f 84 00 00 00 00 00",  // cs nopw
           "c5 f8 77",                       // vzeroupper
           "c5 fd 70 c0 01",                 // vpshufd $1,%ymm0,%ymm0
           "c4 e3 7d 39 c1 01",              // vextracti128
           "c4 e2 79 18 05 01 02 03 04",     // vbroadcastss 0x4030201(%rip),%xmm0
           "62 f1 7c 48 10 06",              // vmovups (%rsi),%zmm0
           "62 f3 75 40 3e c9 00",           // vpcmpub
           "8f e8 78 c0 c1 04",              // vprotb (XOP)
           "8f 00",                          // pop (%rax)
       }) {
    CAPTURE(one);
    CHECK(bytes_of(one + " 90 90 90") == (one.size() + 1) / 3);
    CHECK(bytes_of(one.substr(0, one.size() - 2)) == 0);  // cut off
  }
  for (const std::string none : {"06", "60", "9a", "0f 04", "d5", "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90"}) {
    CAPTURE(none);
    CHECK(bytes_of(none + " 90 90 90 90 90 90 90 90") == 0);
  }
}

#if defined(__x86_64__) && !defined(__clang__)  // whose -fsanitize=function puts data where functions begin
TEST_CASE("each function of this program ends where an instruction does") {
  const std::string file = whole_file("/proc/self/exe", "this program", size_t{1} << 30, 1, "");
  const auto at = [&](uint64_t offset) { return file.data() + offset; };
  ElfW(Ehdr) head;
  std::memcpy(&head, at(0), sizeof head);
  std::vector<ElfW(Shdr)> sections(head.e_shnum);
  std::memcpy(sections.data(), at(head.e_shoff), sections.size() * sizeof sections[0]);
  size_t functions = 0, astray = 0;
  for (const ElfW(Shdr) & table : sections) {
    if (table.sh_type != SHT_SYMTAB) continue;
    for (uint64_t i = 0; i < table.sh_size; i += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      std::memcpy(&symbol, at(table.sh_offset + i), sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 || symbol.st_shndx >= sections.size())
        continue;
      const ElfW(Shdr) &section = sections[symbol.st_shndx];
      const auto code = std::as_bytes(
          std::span(at(section.sh_offset + symbol.st_value - section.sh_addr), static_cast<size_t>(symbol.st_size)));
      const std::optional<CodeStep> last = instruction_at(code, symbol.st_size - 1);
      functions++;
      if (!last || last->to != symbol.st_size) astray++;
    }
  }
  CHECK(functions > 1000);
  CHECK(astray * 1000 <= functions);  // what was written by hand may have data in it
}
#endif

TEST_CASE("an instruction is found by one of its bytes") {
  const std::vector<std::byte> code = code_of("55 48 89 e5 c3 06");  // of x86: push, mov, ret, none
#if defined(__x86_64__)
  CHECK(instruction_at(code, 0)->to == 1);
  CHECK(instruction_at(code, 3)->from == 1);
  CHECK(instruction_at(code, 3)->to == 4);
  CHECK(instruction_at(code, 4)->from == 4);
  CHECK_FALSE(instruction_at(code, 5));
#else
  CHECK(instruction_at(code, 3)->from == 0);
  CHECK(instruction_at(code, 3)->to == 4);
#endif
  CHECK_FALSE(instruction_at(code, 8));
  CHECK_FALSE(instruction_at(code, uint64_t{1} << 40));
}

}  // namespace strata
