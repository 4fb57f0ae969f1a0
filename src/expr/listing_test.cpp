// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/listing.h"

#include "base/test.h"
#include "expr/assembler.h"

namespace strata::expr {

TEST_CASE("a listing has one instruction a line, and marks where jumps lead") {
  Assembler out;
  const Assembler::Label done = out.label();
  out.move(6, 1);
  out.call(BPF_FUNC_get_current_pid_tgid);
  out.alu_number(BPF_RSH, 0, 32);
  out.jump_if_number(BPF_JSLT, 0, 4711, done);
  out.refer(1, Reference::Kind::kMap, 0);
  out.number(2, 0x123456789abc);
  out.load(0, 6, 16, 2);
  out.store(10, -8, 0, 8);
  out.store_number(10, -16, 5, 4);
  out.add_atomically(0, 0, 1);
  out.alu_number(BPF_NEG, 0, 0);
  out.swap_bytes(0, 4);
  out.place(done);
  out.exit();
  Half half;
  REQUIRE(out.finish(half));
  Plan plan;
  plan.maps.push_back({.name = "reads"});
  CHECK(listing_of(half, plan) ==
        "    0  r6 = r1\n"
        "    1  call get_current_pid_tgid\n"
        "    2  r0 >>= 32\n"
        "    3  if r0 s< 4711 goto 14\n"
        "    4  r1 = map @reads\n"
        "    6  r2 = 0x123456789abc\n"
        "    8  r0 = *(u16 *)(r6 + 16)\n"
        "    9  *(u64 *)(r10 - 8) = r0\n"
        "   10  *(u32 *)(r10 - 16) = 5\n"
        "   11  *(u64 *)(r0) atomic += r1\n"
        "   12  r0 = -r0\n"
        "   13  r0 = be32(r0)\n"
        ">  14  exit\n");
}

TEST_CASE("the context is kept where something looks at it") {
  for (const bool looks : {false, true}) {
    Assembler out;
    const Assembler::Label done = out.label();
    out.move(6, 1);
    out.jump(done);
    if (looks) out.place(done);
    out.load(0, 6, 0, 8);
    if (!looks) out.place(done);
    out.number(0, 0);
    out.exit();
    Half half;
    REQUIRE(out.finish(half));
    CHECK(half.instructions.size() == (looks ? 5U : 3U));
    CHECK((listing_of(half, Plan()).find("r6 = r1") != std::string::npos) == looks);
  }
}

}  // namespace strata::expr
