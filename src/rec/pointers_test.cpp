// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/pointers.h"

#include "base/test.h"

namespace strata {
namespace {

struct Held {
  uint64_t of, ns, by;
};
constexpr Field kFields[] = {
    {STORED(Held, of), .pointer = true}, {STORED(Held, ns)}, {STORED(Held, by), .pointer = true}};
constexpr RecordType kHeld = record_type<Held>("held", kFields);
constexpr Field kPlainFields[] = {{STORED(Held, of)}, {STORED(Held, ns)}, {STORED(Held, by)}};
constexpr RecordType kPlain = record_type<Held>("plain", kPlainFields);

Held numbered(Pointers &pointers, const Held &held) {
  return *static_cast<const Held *>(pointers.numbered(kHeld, &held, sizeof(held)));
}

}  // namespace

TEST_CASE("pointers are numbers in the order in which they come, and nothing else is changed") {
  Pointers pointers;
  const Held first = numbered(pointers, {0xffff888000000040, 0xffff888000000040, 0});
  CHECK(first.of == 1);
  CHECK(first.ns == 0xffff888000000040);
  CHECK(first.by == 0);
  const Held second = numbered(pointers, {0xffff888000000080, 7, 0xffff888000000040});
  CHECK(second.of == 2);
  CHECK(second.by == 1);
  CHECK(pointers.address(1) == 0xffff888000000040);
  CHECK(pointers.address(2) == 0xffff888000000080);
  CHECK(pointers.address(0) == 0);
  CHECK(pointers.address(3) == 0);
}

TEST_CASE("the key of what found no room in a table is none") {
  Pointers pointers;
  CHECK(numbered(pointers, {UINT64_MAX, 0, 0xffff888000000040}).of == UINT64_MAX);
  CHECK(pointers.number(0xffff888000000080) == 2);
}

TEST_CASE("what has numbers already keeps them") {
  Pointers pointers;
  CHECK(numbered(pointers, {1, 0, 2}).by == 2);
  CHECK(numbered(pointers, {2, 0, 3}).of == 2);
}

TEST_CASE("a record without pointers is not copied") {
  Pointers pointers;
  const Held held = {};
  CHECK(pointers.numbered(kPlain, &held, sizeof(held)) == &held);
}

TEST_CASE("a record that ends early is not read beyond its end") {
  Pointers pointers;
  const Held held = {5, 0, 6};
  CHECK(static_cast<const Held *>(pointers.numbered(kHeld, &held, 8))->of == 1);
  CHECK(pointers.address(2) == 0);
}

}  // namespace strata
