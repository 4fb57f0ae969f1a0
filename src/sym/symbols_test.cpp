// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/symbols.h"

#include <fcntl.h>

#include "base/fd.h"
#include "base/test.h"
#include "sym/elf.h"

namespace strata {

TEST_CASE("symbols of this program, each no longer than it is") {
  const Fd self(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const ElfFile elf(self.get());
  Symbols symbols;
  symbols.add(elf);
  constexpr std::string_view kNames[] = {"strata_test_function"};  // of elf_test.cpp
  const auto places = elf.functions(kNames).found;
  REQUIRE(places.size() == 1);
  uint64_t address = 0;
  for (const ElfFile::Segment &one : elf.segments())
    if (places[0].offset - one.offset < one.bytes) address = places[0].offset - one.offset + one.address;
  const auto found = symbols.find(address + 1);
  REQUIRE(found);
  CHECK(found->name == "strata_test_function");
  CHECK(found->offset == 1);
  uint64_t end = address;
  while (symbols.find(end) && symbols.find(end)->name == "strata_test_function") end++;
  CHECK(end - address < 1000);  // bytes; sanitizers need 200
  CHECK_FALSE(symbols.find(0));
  CHECK_FALSE(symbols.find(UINT64_MAX));
}

TEST_CASE("names of C++ as they are written") {
  CHECK(demangled("_ZN6strata9demangledESt17basic_string_viewIcSt11char_traitsIcEE") ==
        "strata::demangled(std::basic_string_view<char, std::char_traits<char> >)");
  CHECK(demangled("main") == "main");
  CHECK(demangled("_Z") == "_Z");
  CHECK(demangled("_Znonsense") == "_Znonsense");
  CHECK(demangled("_Z" + std::string(5000, 'x')).size() == 203);
}

}  // namespace strata
