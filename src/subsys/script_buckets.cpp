// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_buckets.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace strata {
namespace {

using TypeKind = expr::Type::Kind;

constexpr size_t kBarCells = 52;

// The least number in a bucket of hist(), which is not the first one; as Generator::bucket_of_hist() has it. 0 is that
// behind the last one, too, which has 65 bits.
uint64_t least_of_bucket(const expr::MapPlan &map, size_t bucket) {
  const uint64_t own = uint64_t{1} << map.bits, number = bucket - 1;
  if (number < own) return number;
  const uint64_t power = number / own - 1;
  return bucket == map.buckets ? 0 : (own + number % own) << power;
}

// As bpftrace writes it.
std::string power_text(uint64_t number) {
  constexpr std::string_view kUnits[] = {"", "K", "M", "G", "T", "P", "E"};
  size_t unit = 0;
  for (; number >= 1024 && number % 1024 == 0; number /= 1024) unit++;
  return std::to_string(number) + std::string(kUnits[unit]);
}

std::string hist_label(const expr::MapPlan &map, size_t bucket) {
  if (bucket == 0) return "(..., 0)";
  const uint64_t least = least_of_bucket(map, bucket), next = least_of_bucket(map, bucket + 1);
  if (next - least == 1) return "[" + std::to_string(least) + "]";
  return "[" + power_text(least) + ", " + (next == 0 ? "16E" : power_text(next)) + ")";
}

std::string linear_label(const expr::MapPlan &map, size_t bucket) {
  const auto low = static_cast<int64_t>(map.low), high = static_cast<int64_t>(map.high),
             step = static_cast<int64_t>(map.step);
  if (bucket == 0) return "(..., " + std::to_string(low) + ")";
  if (bucket == map.buckets - 1) return "[" + std::to_string(high) + ", ...)";
  const int64_t from = low + static_cast<int64_t>(bucket - 1) * step;
  return "[" + std::to_string(from) + ", " + std::to_string(std::min(from + step, high)) + ")";
}

}  // namespace

std::string histogram_text(const expr::MapPlan &map, const std::vector<uint64_t> &counts) {
  const auto not_zero = [](uint64_t n) { return n != 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), not_zero);
  if (first == counts.end()) return "";
  const auto last = std::find_if(counts.rbegin(), counts.rend(), not_zero).base();
  const uint64_t most = *std::max_element(first, last);
  std::string text;
  for (auto at = first; at != last; ++at) {
    const auto bucket = static_cast<size_t>(at - counts.begin());
    const std::string label = map.value.is(TypeKind::kHistogram) ? hist_label(map, bucket) : linear_label(map, bucket);
    const auto cells = static_cast<size_t>(static_cast<double>(*at) * kBarCells / static_cast<double>(most));
    text += padded(label, -16) + padded(std::to_string(*at), 8) + " |" + std::string(cells, '@') +
            std::string(kBarCells - cells, ' ') + "|\n";
  }
  return text;
}

Datum histogram_data(const expr::MapPlan &map, const std::vector<uint64_t> &counts) {
  const bool powers = map.value.is(TypeKind::kHistogram);
  const size_t last = map.buckets - 1;
  const auto low = [&](size_t bucket) {
    if (powers) return least_of_bucket(map, bucket);
    return std::min<uint64_t>(map.low + (bucket - 1) * map.step, bucket == last ? map.high : UINT64_MAX);
  };
  const auto number = [&](uint64_t value) { return powers ? Datum{value} : Datum{static_cast<int64_t>(value)}; };
  Datum::List list;
  size_t end = counts.size();  // behind the last one that has values; those between are shown, too
  while (end > 0 && counts[end - 1] == 0) end--;
  for (size_t bucket = 0; bucket < end; bucket++) {
    if (list.empty() && counts[bucket] == 0) continue;
    Datum::Object one;
    if (bucket > 0) one.add("min", number(low(bucket)));
    if (bucket < last)
      one.add("max", bucket == 0 ? Datum{static_cast<int64_t>(low(1) - 1)} : number(low(bucket + 1) - 1));
    one.add("count", Datum{counts[bucket]});
    list.push_back({std::move(one)});
  }
  return {std::move(list)};
}

}  // namespace strata
