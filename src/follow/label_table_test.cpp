// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/label_table.h"

#include <array>
#include <cmath>
#include <string>

#include "base/test.h"

namespace strata {
namespace {

constexpr Field kLabel{.key = "label", .title = ""};
constexpr std::string_view kLayers[] = {"cpu", "lock"};

void add(LabelTable &table, const std::string &label, uint64_t cpu_ns, uint64_t lock_ns) {
  Sample sample;
  sample.seen_ns = cpu_ns + lock_ns;
  sample.fields = {{&kLabel, label.empty() ? Value() : Value(label)}};
  const std::array<uint64_t, 3> ns = {cpu_ns, lock_ns, 0};
  table.add(sample, kLabel, ns);
}

}  // namespace

TEST_CASE("the slowest in a hundred are told from those about the median") {
  LabelTable table;
  for (int i = 0; i < 990; i++) add(table, "a", 100, 0);
  for (int i = 0; i < 10; i++) add(table, "a", 100, 900);
  add(table, "b", 5, 0);
  const auto rows = table.rows(kLayers);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].label == "a");
  CHECK(rows[0].ns.count() == 1000);
  REQUIRE(rows[0].parts.size() == 2);
  CHECK(rows[0].parts[0].layer == "cpu");
  CHECK(std::lround(rows[0].parts[0].median_ns) == 100);
  CHECK(std::lround(rows[0].parts[0].slowest_ns) == 100);
  CHECK(rows[0].parts[1].median_ns == 0);
  CHECK(std::lround(rows[0].parts[1].slowest_ns) == 900);
  REQUIRE(rows[1].parts.size() == 1);  // one sample is both
  CHECK(rows[1].parts[0].median_ns == 5);
  CHECK(rows[1].parts[0].slowest_ns == 5);
}

TEST_CASE("a slot that is only in part among the slowest counts in proportion") {
  LabelTable table;
  for (int i = 0; i < 50; i++) add(table, "a", 100, 0);
  for (int i = 0; i < 50; i++) add(table, "a", 0, 100);  // the same slot: half of each
  const auto rows = table.rows(kLayers);
  REQUIRE(rows.size() == 1);
  CHECK(std::lround(rows[0].parts[0].slowest_ns) == 50);
  CHECK(std::lround(rows[0].parts[1].median_ns) == 50);
}

TEST_CASE("without any label there is no table; with too many the rest is one row") {
  LabelTable none;
  add(none, "", 1, 1);
  CHECK(none.rows(kLayers).empty());
  LabelTable many;
  for (size_t i = 0; i < LabelTable::kMost + 3; i++) add(many, "label " + std::to_string(i), 1, 1);
  add(many, "", 1, 1);
  add(many, "label 0", 1, 1);
  const auto rows = many.rows(kLayers);
  REQUIRE(rows.size() == LabelTable::kMost + 1);
  CHECK(!rows.back().label);
  CHECK(rows.back().ns.count() == 4);
}

}  // namespace strata
