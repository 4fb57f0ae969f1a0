// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Families as messages of metrics.proto (github.com/prometheus/client_model), each behind its length: the one format in
// which a scrape can have native histograms, which are fine without a series for each bucket. The classic buckets are
// in the same message, for those who want these.
#include <cmath>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
#include <string>
#include <vector>

#include "render/openmetrics.h"

namespace strata {
namespace {

using protozero::pbf_writer;

enum : uint32_t { kFamilyName = 1, kFamilyHelp, kFamilyType, kFamilyMetric, kFamilyUnit };
enum : uint32_t { kMetricLabel = 1, kMetricGauge, kMetricCounter, kMetricHistogram = 7 };
enum : uint32_t { kLabelName = 1, kLabelValue };
enum : uint32_t { kNumberValue = 1 };  // of a counter, and of a gauge
enum : uint32_t {
  kSampleCount = 1,
  kSampleSum,
  kBucket,
  kSchema = 5,
  kZeroThreshold,
  kZeroCount,
  kPositiveSpan = 12,
  kPositiveDelta
};
enum : uint32_t { kCumulativeCount = 1, kUpperBound };
enum : uint32_t { kSpanOffset = 1, kSpanLength };

// Bucket i of a native histogram ends at 2^(i / 2^schema), which it holds: of this schema each is 9 % wide. Slots are
// 6.25 % wide at most, but their bounds are other ones in seconds: the values of a slot are in the bucket of the
// greatest of them. So a value is up to 6.25 % below its bucket, and never above it. Rejected: a finer schema, whose
// buckets would say more than is known, and have gaps.
constexpr int kNativeSchema = 3;
constexpr double kNativeZero = 0x1p-128;  // up to it a value counts as 0; as that of Prometheus' own libraries

int32_t native_bucket(uint64_t value, const Scale &scale) {
  return static_cast<int32_t>(std::ceil(std::log2(in_base_unit(value, scale)) * (1 << kNativeSchema)));
}

void put_native_buckets(pbf_writer &histogram, const Histogram &values, const Scale &scale) {
  histogram.add_sint32(kSchema, kNativeSchema);
  histogram.add_double(kZeroThreshold, kNativeZero);
  struct Native {
    int32_t index;
    int64_t count;
  };
  std::vector<Native> buckets;
  for (uint32_t slot = 0; slot < values.slots().size(); slot++) {
    const auto count = static_cast<int64_t>(values.slots()[slot]);
    const uint64_t greatest = Histogram::slot_high(slot);
    if (count == 0) continue;
    if (greatest == 0) {
      histogram.add_uint64(kZeroCount, values.slots()[slot]);
      continue;
    }
    const int32_t index = native_bucket(greatest, scale);
    if (!buckets.empty() && buckets.back().index == index)
      buckets.back().count += count;
    else
      buckets.push_back({.index = index, .count = count});
  }
  // Spans are buckets without a gap: each begins so many after the end of the one before, the first after bucket 0's
  // place. A count is what it is more than that of the bucket before.
  std::vector<int64_t> deltas;
  int32_t end = 0;
  for (size_t from = 0, to = 0; from < buckets.size(); from = to) {
    for (to = from + 1; to < buckets.size() && buckets[to].index == buckets[to - 1].index + 1;) to++;
    pbf_writer span(histogram, kPositiveSpan);
    span.add_sint32(kSpanOffset, buckets[from].index - end);
    span.add_uint32(kSpanLength, static_cast<uint32_t>(to - from));
    end = buckets[to - 1].index + 1;
  }
  for (size_t i = 0; i < buckets.size(); i++) deltas.push_back(buckets[i].count - (i == 0 ? 0 : buckets[i - 1].count));
  histogram.add_packed_sint64(kPositiveDelta, deltas.begin(), deltas.end());
}

void put_histogram(pbf_writer &metric, const Histogram &values, const Scale &scale) {
  pbf_writer histogram(metric, kMetricHistogram);
  histogram.add_uint64(kSampleCount, values.count());
  histogram.add_double(kSampleSum, in_base_unit(values.sum(), scale));
  const Buckets buckets = buckets_of(values, scale);
  for (size_t i = 0; i < buckets.bounds.size(); i++) {
    pbf_writer bucket(histogram, kBucket);
    bucket.add_uint64(kCumulativeCount, buckets.counts[i]);
    bucket.add_double(kUpperBound, in_base_unit(buckets.bounds[i], scale));
  }
  put_native_buckets(histogram, values, scale);
}

void put_point(pbf_writer &message, const Family &family, const Family::Point &point) {
  pbf_writer metric(message, kFamilyMetric);
  for (const auto &[name, value] : point.labels) {
    if (value.empty()) continue;  // no value is no label
    pbf_writer label(metric, kMetricLabel);
    label.add_string(kLabelName, name);
    label.add_string(kLabelValue, value);
  }
  if (family.type == MetricType::kHistogram) return put_histogram(metric, *point.values, family.scale);
  pbf_writer number(metric, family.type == MetricType::kCounter ? kMetricCounter : kMetricGauge);
  number.add_double(kNumberValue, in_base_unit(point.number, family.scale));
}

}  // namespace

std::string delimited_messages(const Families &families) {
  constexpr int32_t kTypes[] = {0, 1, 4};  // of metrics.proto, by MetricType
  std::string messages;
  for (const Family &family : families.all()) {
    if (family.points.empty()) continue;
    std::string bytes;
    pbf_writer message(bytes);
    message.add_string(kFamilyName, family.sample_name());
    message.add_string(kFamilyHelp, family.help);
    message.add_enum(kFamilyType, kTypes[static_cast<size_t>(family.type)]);
    for (const Family::Point &point : family.points) put_point(message, family, point);
    if (!family.scale.base.empty()) message.add_string(kFamilyUnit, std::string(family.scale.base));
    protozero::add_varint_to_buffer(&messages, bytes.size());
    messages += bytes;
  }
  return messages;
}

}  // namespace strata
