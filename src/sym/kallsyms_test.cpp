// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/kallsyms.h"

#include "base/test.h"

namespace strata {
namespace {

Kallsyms of(const std::string &text) {
  Lines file = Lines::of(text);
  return Kallsyms(file);
}

const char *const kFile =
    "0000000000000000 A fixed_percpu_data\n"
    "ffffffff81000100 T udp_rcv\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81000200 t udp_rcv.part.0\n"
    "ffffffff81000180 D udp_table\n"
    "ffffffff81000300 T _etext\n"
    "ffffffffc0400000 t veth_xmit\t[veth]\n"
    "ffffffffc0400080 t veth_open\t[veth]\n"
    "ffffffffc0500000 t bpf_prog_12ab_x\t[bpf]\n";

TEST_CASE("an address is a function and what lies between") {
  const Kallsyms symbols = of(kFile);
  CHECK(symbols.has_addresses());
  CHECK(symbols.name(0xffffffff81000100) == "udp_rcv+0x0");
  CHECK(symbols.name(0xffffffff810001ff) == "udp_rcv+0xff");
  CHECK(symbols.name(0xffffffff81000204) == "udp_rcv.part.0+0x4");
  CHECK(symbols.name(0xffffffffc040001f) == "veth_xmit+0x1f [veth]");
  CHECK(symbols.name(0xffffffffc0500001) == "bpf_prog_12ab_x+0x1 [bpf]");
}

TEST_CASE("of two symbols of one address it is the first, as in the kernel's own messages") {
  CHECK(of(kFile).name(0xffffffff81000000) == "_stext+0x0");
  CHECK(of(kFile).name(0xffffffff81000010) == "_stext+0x10");
}

TEST_CASE("an address that is in no function stays a number") {
  const Kallsyms symbols = of(kFile);
  CHECK(symbols.name(0).empty());
  CHECK(symbols.name(0xffffffff80ffffff).empty());
  CHECK(symbols.name(0xffffffffb0000000).empty());
  CHECK(symbols.name(0xffffffffffffffff).empty());
}

TEST_CASE("hidden addresses are none") {
  const Kallsyms symbols = of("0000000000000000 T udp_rcv\n0000000000000000 t veth_xmit\t[veth]\n");
  CHECK(!symbols.has_addresses());
  CHECK(symbols.name(0xffffffff81000100).empty());
  CHECK(symbols.functions("udp_rcv").empty());
}

TEST_CASE("a function is all parts of its name") {
  const Kallsyms symbols = of(kFile);
  const auto parts = symbols.functions("udp_rcv");
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].from == 0xffffffff81000100);
  CHECK(parts[0].to == 0xffffffff81000200);
  CHECK(parts[1].to == 0xffffffff81000300);
  CHECK(symbols.functions("udp").empty());
  CHECK(symbols.functions("").empty());
  const auto last = symbols.functions("bpf_prog_12ab_x");
  REQUIRE(last.size() == 1);
  CHECK(last[0].to == 0xffffffffc0600000);
}

TEST_CASE("what is no line of symbols is left out") {
  const Kallsyms symbols = of("\n \nxyz T a\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T b c d e\n");
  CHECK(symbols.name(0xffffffff81000001) == "b+0x1 c");
}

}  // namespace
}  // namespace strata
