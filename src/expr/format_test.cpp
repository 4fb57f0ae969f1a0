// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/format.h"

#include "base/test.h"

namespace strata::expr {
namespace {

std::string fault_of(std::string_view format) {
  std::string fault;
  CHECK(parts_of_format(format, fault).empty());
  return fault;
}

}  // namespace

TEST_CASE("a format is literals and what each % wants, of lengths those that cut numbers") {
  std::string fault;
  const std::vector<FormatPart> parts = parts_of_format("%-16s: %08llx 5%% %rx\n%hhd%hu", fault);
  CHECK(fault.empty());
  REQUIRE(parts.size() == 6);
  CHECK((parts[0].literal.empty() && parts[0].flags == "-16" && parts[0].kind == "s"));
  CHECK((parts[1].literal == ": " && parts[1].flags == "08" && parts[1].kind == "x"));
  CHECK((parts[2].literal == " 5% " && parts[2].kind == "rx"));
  CHECK((parts[1].bytes == 8 && parts[3].literal == "\n" && parts[3].bytes == 1 && parts[4].bytes == 2));
  CHECK(parts[5].kind.empty());
}

TEST_CASE("a format that ends within a %, and letters that nothing is printed by") {
  CHECK(fault_of("a %") == "the format ends within a %");
  CHECK(fault_of("%5l") == "the format ends within a %");
  CHECK(fault_of("%n") == "no %n is known; there are %d %u %x %o %p %c %s %r");
  CHECK(fault_of("%*d") == "no %* is known; there are %d %u %x %o %p %c %s %r");
}

}  // namespace strata::expr
