// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Messages as a reader of protocol buffers finds them: export/native is the test with Prometheus.
#include <cstdint>
#include <map>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "base/test.h"
#include "render/openmetrics.h"

namespace strata {
namespace {

using protozero::pbf_reader;

// Of a histogram: how many values are in each native bucket, by its number.
std::map<int32_t, int64_t> native_buckets(pbf_reader histogram, uint64_t &zeros) {
  std::vector<int32_t> numbers;
  std::map<int32_t, int64_t> buckets;
  int32_t next = 0;
  int64_t count = 0;
  size_t i = 0;
  while (histogram.next()) {
    if (histogram.tag() == 7) {
      zeros = histogram.get_uint64();
    } else if (histogram.tag() == 12) {
      pbf_reader span = histogram.get_message();
      REQUIRE(span.next(1));
      next += span.get_sint32();
      REQUIRE(span.next(2));
      for (uint32_t length = span.get_uint32(); length > 0; length--) numbers.push_back(next++);
    } else if (histogram.tag() == 13) {
      for (const int64_t delta : histogram.get_packed_sint64()) {
        count += delta;
        REQUIRE(i < numbers.size());
        buckets[numbers[i++]] = count;
      }
    } else {
      histogram.skip();
    }
  }
  CHECK(i == numbers.size());
  return buckets;
}

std::map<int32_t, int64_t> native_buckets_of(const Histogram &values, const Scale &scale, uint64_t &zeros) {
  Families families;
  families.of("x", MetricType::kHistogram, scale, "Values").points = {{.labels = {}, .values = &values}};
  const std::string messages = families.exposition(MetricsFormat::kProtobuf);
  const char *at = messages.data(), *end = at + messages.size();
  const uint64_t size = protozero::decode_varint(&at, end);
  REQUIRE(size == static_cast<uint64_t>(end - at));
  pbf_reader family(at, size);
  REQUIRE(family.next(4));
  pbf_reader metric = family.get_message();
  REQUIRE(metric.next(7));
  return native_buckets(metric.get_message(), zeros);
}

}  // namespace

TEST_CASE("a counter and a gauge as messages") {
  Families families;
  families.of("none", MetricType::kGauge, {}, "Of nothing");
  families.of("a_seconds", MetricType::kCounter, kOfNs, "Time").add({{"file", "a\"\n"}, {"none", ""}}, 1'500'000'000);
  families.of("b", MetricType::kGauge, {}, "Things").add({}, 0);
  const std::string messages = families.exposition(MetricsFormat::kProtobuf);
  // A message's length, and its fields by number: bytes with their length, a double as 8 bytes.
  const std::string seconds(
      "\x3c\x0a\x0f"
      "a_seconds_total\x12\x04Time\x18\x00"
      "\x22\x18\x0a\x0b\x0a\x04"
      "file\x12\x03"
      "a\"\n\x1a\x09\x09\x00\x00\x00\x00\x00\x00\xf8\x3f"
      "\x2a\x07seconds",
      61);
  const std::string things(
      "\x1a\x0a\x01"
      "b\x12\x06Things\x18\x01\x22\x0b\x12\x09\x09\0\0\0\0\0\0\0\0",
      27);
  CHECK(messages == seconds + things);
}

TEST_CASE("native buckets hold what the slots do") {
  Histogram values;
  uint64_t zeros = 0;
  values.add(0, 7);
  values.add(1, 5);          // ends at 2^(0/8), bucket 0
  values.add(2, 3);          // bucket 8
  values.add(4096, 2);       // its slot goes on to 4351: 8 * log2 of that is 96.7
  values.add(4351, 4);       // the same slot
  values.add(1u << 30u, 6);  // to 2^30 + 2^26 - 1: 240.7
  const auto buckets = native_buckets_of(values, kOfBytes, zeros);
  CHECK(zeros == 7);
  CHECK(buckets == std::map<int32_t, int64_t>{{0, 5}, {8, 3}, {97, 6}, {241, 6}});
}

TEST_CASE("native buckets of time are those of seconds, without a gap between neighbours") {
  Histogram values;
  uint64_t zeros = 0, count = 0;
  for (uint64_t ns = 1; ns < 1'000'000; ns += 7) {
    values.add(ns);
    count++;
  }
  const auto buckets = native_buckets_of(values, kOfNs, zeros);
  uint64_t found = 0;
  for (const auto &[number, in_bucket] : buckets) {
    CHECK(in_bucket > 0);
    found += static_cast<uint64_t>(in_bucket);
  }
  CHECK(found == count);
  CHECK(buckets.begin()->first == -239);  // 1 ns: 8 * log2(1e-9) is -239.2
  CHECK(buckets.rbegin()->first == -79);  // 1 ms, in the slot up to 1,015,807 ns: -79.5
}

TEST_CASE("a histogram without a value is a native one, too") {
  const Histogram values;
  uint64_t zeros = 0;
  CHECK(native_buckets_of(values, kOfNs, zeros).empty());
}

}  // namespace strata
