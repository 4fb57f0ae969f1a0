// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Families of metrics as Prometheus and whatever reads the like has them: of one run, for -o openmetrics, or of all
// runs of an exporter. Each is there once, whichever run it is of.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/field.h"
#include "model/histogram.h"

namespace strata {

using Labels = std::vector<std::pair<std::string, std::string>>;  // names and values; an empty value is no label

// Of a unit, in the base unit of OpenMetrics: `per_unit` of ours are one of those.
struct Scale {
  std::string_view base = {};  // empty: none
  uint64_t per_unit = 1;
  int first_power = 0, last_power = 30;  // of 2: the upper bounds of buckets are these, less one
};
Scale scale_of(const Field &column);
inline constexpr Scale kOfNs = {.base = "seconds", .per_unit = 1'000'000'000, .first_power = 8, .last_power = 36};
inline constexpr Scale kOfBytes = {.base = "bytes"};
inline constexpr Scale kOfMillionths = {.base = "ratio", .per_unit = 1'000'000};

double in_base_unit(uint64_t number, const Scale &scale);
// A canonical number of OpenMetrics: the shortest text that is it, "1.0", "1.023e-06".
std::string canonical(double number);

enum class MetricType : uint8_t { kCounter, kGauge, kHistogram };

struct Family {
  struct Point {
    Labels labels;
    uint64_t number = 0;  // in the unit that `scale` is of
    const Histogram *values = nullptr;
  };
  std::string name;  // of a counter without _total
  MetricType type = MetricType::kGauge;
  Scale scale = {};
  std::string help;
  std::vector<Point> points = {};

  // What stands before its points: of a counter with _total.
  [[nodiscard]] std::string sample_name() const { return name + (type == MetricType::kCounter ? "_total" : ""); }
  void add(Labels labels, uint64_t number) { points.push_back({.labels = std::move(labels), .number = number}); }
};

// How many values are up to each bound of the buckets of a scale.
struct Buckets {
  std::vector<uint64_t> bounds, counts;
};
Buckets buckets_of(const Histogram &values, const Scale &scale);

// The text of 2020 and, for what reads nothing else, the one before it (0.0.4), where the name of a counter's family
// ends with _total, too; and messages of protocol buffers, where it does as well, for what wants native histograms.
enum class MetricsFormat : uint8_t { kOpenMetrics, kOlder, kProtobuf };

class Families {
 public:
  // What one says of type, unit and help, all do that have its name: those of the first stay.
  Family &of(std::string name, MetricType type, const Scale &scale, std::string_view help);
  [[nodiscard]] const std::list<Family> &all() const { return all_; }
  [[nodiscard]] std::string exposition(MetricsFormat format) const;

 private:
  std::list<Family> all_;  // in the order in which they came
};

// Messages MetricFamily of metrics.proto, each behind its length.
std::string delimited_messages(const Families &families);

}  // namespace strata
