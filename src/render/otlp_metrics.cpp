// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names are those of the exposition without _total, which a receiver for Prometheus adds again.
#include "base/clock.h"
#include "render/otlp.h"
#include "render/otlp_json.h"

namespace strata {
namespace {

constexpr int kCumulative = 2;  // AggregationTemporality

std::string_view unit_of(const Scale &scale) {  // UCUM
  if (scale.base == "seconds") return "s";
  return scale.base == "bytes" ? "By" : "1";
}

Json point_of(const Family &family, const Family::Point &point, const RecordingHead &head, uint64_t now_ns) {
  Json attributes = Json::array();
  for (const auto &[name, value] : point.labels)
    if (!value.empty()) attributes.push_back(otlp_text(name, value));
  Json one = {{"attributes", std::move(attributes)}};
  if (family.type != MetricType::kGauge) one["startTimeUnixNano"] = std::to_string(head.clocks.realtime_ns);
  one["timeUnixNano"] = std::to_string(now_ns);
  return one;
}

// 64-bit integers are strings in proto3's JSON.
void put_number(Json &point, const Family &family, uint64_t number) {
  if (family.scale.per_unit == 1 && number <= INT64_MAX)
    point["asInt"] = std::to_string(number);
  else
    point["asDouble"] = in_base_unit(number, family.scale);
}

void put_histogram(Json &point, const Family &family, const Histogram &values) {
  const Buckets buckets = buckets_of(values, family.scale);
  Json counts = Json::array(), bounds = Json::array();
  uint64_t below = 0;
  for (size_t i = 0; i < buckets.bounds.size(); i++) {
    bounds.push_back(in_base_unit(buckets.bounds[i], family.scale));
    counts.push_back(std::to_string(buckets.counts[i] - below));
    below = buckets.counts[i];
  }
  counts.push_back(std::to_string(values.count() - below));
  point["count"] = std::to_string(values.count());
  point["sum"] = in_base_unit(values.sum(), family.scale);
  point["bucketCounts"] = std::move(counts);
  point["explicitBounds"] = std::move(bounds);
}

Json metric_of(const Family &family, const RecordingHead &head, uint64_t now_ns) {
  Json points = Json::array();
  for (const Family::Point &one : family.points) {
    Json point = point_of(family, one, head, now_ns);
    if (family.type == MetricType::kHistogram)
      put_histogram(point, family, *one.values);
    else
      put_number(point, family, one.number);
    points.push_back(std::move(point));
  }
  Json metric = {{"name", family.name}, {"description", family.help}, {"unit", unit_of(family.scale)}};
  Json data = {{"dataPoints", std::move(points)}};
  if (family.type != MetricType::kGauge) data["aggregationTemporality"] = kCumulative;
  if (family.type == MetricType::kCounter) data["isMonotonic"] = true;
  constexpr std::string_view kKinds[] = {"sum", "gauge", "histogram"};
  metric[std::string(kKinds[static_cast<size_t>(family.type)])] = std::move(data);
  return metric;
}

}  // namespace

std::string otlp_metrics(const Families &families, const RecordingHead &head, const std::string &service,
                         uint64_t now_ns) {
  Json metrics = Json::array();
  for (const Family &family : families.all())
    if (!family.points.empty()) metrics.push_back(metric_of(family, head, now_ns));
  const Json scoped = {{"scope", otlp_scope(head)}, {"metrics", std::move(metrics)}};
  const Json of_host = {{"resource", otlp_resource(head, service)}, {"scopeMetrics", Json::array({scoped})}};
  return dump({{"resourceMetrics", Json::array({of_host})}});
}

}  // namespace strata
