// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/usdt.h"

#include <string_view>

#include "base/test.h"

namespace strata {
namespace {

void add(std::string &to, uint64_t number, size_t bytes) { to.append(reinterpret_cast<const char *>(&number), bytes); }

std::string note(std::string_view owner, uint32_t type, std::string description) {
  std::string text;
  add(text, owner.size() + 1, 4), add(text, description.size(), 4), add(text, type, 4);
  text.append(owner).append(4 - owner.size() % 4, '\0');
  description.resize((description.size() + 3) / 4 * 4);
  return text + description;
}

std::string probe(uint64_t address, uint64_t semaphore, std::string_view texts, size_t bytes = 8) {
  std::string text;
  add(text, address, bytes), add(text, 0x1234, bytes), add(text, semaphore, bytes);
  return note("stapsdt", 3, text.append(texts));
}

std::vector<UsdtProbe> probes(const std::string &notes, bool narrow = false) {
  return usdt_probes(std::as_bytes(std::span(notes)), narrow);
}

constexpr std::string_view kTexts("libc\0setjmp\0008@%rdi -4@%esi\0", 27);

}  // namespace

TEST_CASE("static probes of a program's notes") {
  const auto all = probes(probe(0x401000, 0, kTexts) + note("GNU", 3, "other") + probe(0x402000, 0x601036, kTexts));
  REQUIRE(all.size() == 2);
  CHECK(all[0].address == 0x401000);
  CHECK(all[0].semaphore == 0);
  CHECK(all[0].provider == "libc");
  CHECK(all[0].name == "setjmp");
  CHECK(all[0].arguments == "8@%rdi -4@%esi");
  CHECK(all[1].address == 0x402000);
  CHECK(all[1].semaphore == 0x601036);
}

TEST_CASE("static probes of a 32-bit program") {
  const auto all = probes(probe(0x8048000, 0, kTexts, 4), true);
  REQUIRE(all.size() == 1);
  CHECK(all[0].address == 0x8048000);
  CHECK(all[0].name == "setjmp");
}

TEST_CASE("notes that are cut short have no more probes than are whole") {
  const std::string two = probe(0x401000, 0, kTexts) + probe(0x402000, 0, kTexts);
  for (size_t size = 0; size < two.size() - 4; size++) CHECK(probes(two.substr(0, size)).size() <= 1);
  CHECK(probes(probe(0x401000, 0, "libc\0setjmp")).empty());
  CHECK(probes(note("stapsdt", 4, std::string(64, '\0'))).empty());
}

}  // namespace strata
