// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_series.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <optional>

#include "base/format.h"
#include "base/text.h"

namespace strata {
namespace {

using expr::Fold;

constexpr size_t kInterval = expr::kSeriesInterval / 8, kValue = expr::kSeriesValue / 8,
                 kCount = expr::kSeriesCount / 8;
constexpr uint64_t kSecond = 1'000'000'000;
constexpr size_t kLastCell = 52;  // of the graph, whose borders are its first and its last one

int64_t number_of(const expr::MapPlan &map, const uint64_t *bucket) {
  const auto value = static_cast<int64_t>(bucket[kValue]);
  if (map.fold != Fold::kAverage) return value;
  if (map.value.is_signed) return value / static_cast<int64_t>(bucket[kCount]);
  return static_cast<int64_t>(bucket[kValue] / bucket[kCount]);
}

// By the number of their interval. What is older than all intervals together is what no later value has replaced.
std::map<uint64_t, int64_t> values_of(const expr::MapPlan &map, std::span<const uint64_t> buckets) {
  std::map<uint64_t, int64_t> values;
  for (size_t at = 0; at + kSeriesWords <= buckets.size(); at += kSeriesWords)
    if (buckets[at + kInterval] != 0) values[buckets[at + kInterval]] = number_of(map, &buckets[at]);
  if (!values.empty()) {
    const uint64_t last = values.rbegin()->first;
    values.erase(values.begin(), values.lower_bound(last - std::min<uint64_t>(last, map.buckets - 1)));
  }
  return values;
}

// What a time has behind its seconds, by the intervals: nothing, or its name and how many digits.
struct Fraction {
  std::string_view name;
  size_t digits;
};
Fraction fraction_of(uint64_t step) {
  if (step % kSecond == 0) return {"", 0};
  if (step % 1'000'000 == 0) return {".ms", 3};
  if (step % 1'000 == 0) return {".us", 6};
  return {".ns", 9};
}

std::string time_of(uint64_t ns, const Fraction &fraction) {
  const auto seconds = static_cast<time_t>(ns / kSecond);
  tm local = {};
  localtime_r(&seconds, &local);
  std::array<char, 16> text = {};
  strftime(text.data(), text.size(), "%H:%M:%S", &local);
  if (fraction.digits == 0) return text.data();
  return text.data() + ("." + formatted("{:09}", ns % kSecond).substr(0, fraction.digits));
}

std::string number_text(const expr::MapPlan &map, int64_t value) {
  return map.value.is_signed ? std::to_string(value) : std::to_string(static_cast<uint64_t>(value));
}

// From the least value to the greatest.
class Graph {
 public:
  Graph(const expr::MapPlan &map, const std::map<uint64_t, int64_t> &values) : map_(map) {
    const auto [least, most] =
        std::ranges::minmax_element(values, {}, [this](const auto &one) { return ordered(one.second); });
    least_ = least->second;
    most_ = most->second;
  }
  [[nodiscard]] std::string bounds() const {
    const std::string least = number_text(map_, least_), most = number_text(map_, most_);
    return least == most ? least : padded(least, -static_cast<int>(kLastCell)) + most;
  }
  [[nodiscard]] static std::string border(char end) { return end + std::string(kLastCell - 1, '_') + end; }
  // Without a value: an empty one.
  [[nodiscard]] std::string line(std::optional<int64_t> value) const {
    std::string cells = "|" + std::string(kLastCell - 1, ' ') + "|";
    if (map_.value.is_signed && least_ < 0 && most_ > 0) cells[cell(0)] = '.';
    if (value) cells[cell(*value)] = '*';
    return cells;
  }

 private:
  [[nodiscard]] double ordered(int64_t value) const {
    return map_.value.is_signed ? static_cast<double>(value) : static_cast<double>(static_cast<uint64_t>(value));
  }
  [[nodiscard]] size_t cell(int64_t value) const {
    const double range = ordered(most_) - ordered(least_);
    return range == 0 ? 0 : static_cast<size_t>((ordered(value) - ordered(least_)) / range * kLastCell);
  }

  const expr::MapPlan &map_;
  int64_t least_ = 0, most_ = 0;
};

}  // namespace

void add_to_bucket(const expr::MapPlan &map, std::span<uint64_t, kSeriesWords> held, const uint64_t *more) {
  if (more[kInterval] < held[kInterval] || more[kInterval] == 0) return;
  const auto takes = [&] {
    const bool less = map.value.is_signed ? static_cast<int64_t>(more[kValue]) < static_cast<int64_t>(held[kValue])
                                          : more[kValue] < held[kValue];
    switch (map.fold) {
      case Fold::kLast:
        return more[kCount] > held[kCount];
      case Fold::kMin:
        return less;
      default:
        return map.fold == Fold::kMax && !less;
    }
  };
  if (more[kInterval] > held[kInterval] || takes())
    return static_cast<void>(std::copy_n(more, kSeriesWords, held.begin()));
  if (map.fold != Fold::kSum && map.fold != Fold::kAverage) return;
  held[kValue] += more[kValue];
  held[kCount] += more[kCount];
}

std::string series_text(const expr::MapPlan &map, std::span<const uint64_t> buckets) {
  const std::map<uint64_t, int64_t> values = values_of(map, buckets);
  if (values.empty()) return "";
  const Fraction fraction = fraction_of(map.step);
  const Graph graph(map, values);
  const std::string title = "hh:mm:ss" + std::string(fraction.name);
  const size_t width = std::max(title.size(), time_of(0, fraction).size()) + 1;
  const std::string margin(width, ' ');
  std::string text =
      margin + graph.bounds() + "\n" + padded(title, -static_cast<int>(width)) + Graph::border('|') + "\n";
  for (uint64_t at = values.begin()->first; at <= values.rbegin()->first; at++) {
    const auto found = values.find(at);
    const bool any = found != values.end();
    text += padded(time_of(at * map.step, fraction), -static_cast<int>(width)) +
            graph.line(any ? std::optional(found->second) : std::nullopt) + " " +
            (any ? number_text(map, found->second) : "-") + "\n";
  }
  return text + margin + Graph::border('v') + "\n" + margin + graph.bounds() + "\n";
}

Datum series_data(const expr::MapPlan &map, std::span<const uint64_t> buckets) {
  Datum::List list;
  for (const auto &[interval, value] : values_of(map, buckets)) {
    const Datum shown = map.value.is_signed ? Datum{value} : Datum{static_cast<uint64_t>(value)};
    list.push_back({Datum::Object{{"interval_start", "value"}, {Datum{interval * map.step}, shown}}});
  }
  return {std::move(list)};
}

}  // namespace strata
