// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/sample_condition.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

constexpr Field kFile{.decode = {.type = Type::kText}, .key = "file", .title = "FILE"};
constexpr Field kSize{.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes};
constexpr Field kFlush{.key = "flush_ns", .title = "FLUSH TIME", .unit = Unit::kNs};
constexpr Field kColumns[] = {kFile, kSize, kFlush};
constexpr std::string_view kLayers[] = {"syscall", "flush", "page cache", "others' I/O", "wake-up"};

Sample sample() {
  Sample one{.outcome = &kCompleted, .start_ns = 1000, .seen_ns = 300, .total_ns = 5000};
  one.fields = {{&kFile, std::string("/a")}};
  for (const auto &[layer, ns] :
       {std::pair("syscall", 1000), {"syscall", 1200}, {"page cache", 1500}, {"page cache", 6000}}) {
    one.hops.push_back({.layer = layer, .ts_ns = static_cast<uint64_t>(ns), .spent_in = layer});
  }
  return one;
}

bool holds(std::string_view text) { return SampleCondition(text, kColumns, kLayers).holds(sample()); }

}  // namespace

TEST_CASE("a condition of a sample") {
  CHECK(holds("outcome == completed && !reason && seen_ns == 300ns && TOTAL >= 5us"));
  CHECK(holds("file == /a && FILE ~ ^/"));
  CHECK_FALSE(holds("size > 0 || size == 0"));  // not known of this one
  CHECK(holds("page_cache_ns == 4.8us && syscall_ns == 200ns"));
  CHECK_THROWS_WITH(
      holds("device_ns > 1ms"),
      "--when: no such column: 'device_ns'; there are outcome, reason, seen_ns, total_ns, file, size_bytes, "
      "flush_ns, syscall_ns, page_cache_ns, others_io_ns, wake_up_ns\n  device_ns > 1ms\n  ^");
  CHECK(holds("others_io_ns == 0 && wake_up_ns == 0"));
}

}  // namespace strata
