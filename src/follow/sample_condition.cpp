// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/sample_condition.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace strata {
namespace {

constexpr Field kOfEach[] = {
    {.decode = {.type = Type::kText}, .key = "outcome", .title = "OUTCOME"},
    {.decode = {.type = Type::kText}, .key = "reason", .title = "REASON"},
    {.decode = {.type = Type::kInteger}, .key = "seen_ns", .title = "WAITED", .unit = Unit::kNs},
    {.decode = {.type = Type::kInteger}, .key = "total_ns", .title = "TOTAL", .unit = Unit::kNs},
};

// "page cache" -> "page_cache_ns", "others' I/O" -> "others_io_ns"
std::string key_of(std::string_view layer) {
  std::string key;
  for (const char c : layer) {
    if (c == ' ' || c == '-') key += '_';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) key += lower(c);
  }
  return key + "_ns";
}

// Those that the procedure has no column of its own for.
std::vector<std::string_view> layers_without(Schema columns, std::span<const std::string_view> layers) {
  std::vector<std::string_view> others;
  for (const std::string_view layer : layers)
    if (std::ranges::find(columns, key_of(layer), &Field::key) == columns.end()) others.push_back(layer);
  return others;
}

std::vector<std::string> keys_of(const std::vector<std::string_view> &layers) {
  std::vector<std::string> keys;
  for (const std::string_view layer : layers) keys.push_back(key_of(layer));
  return keys;
}

std::vector<Field> columns_with(Schema columns, const std::vector<std::string> &layer_keys) {
  std::vector<Field> all(std::begin(kOfEach), std::end(kOfEach));
  all.insert(all.end(), columns.begin(), columns.end());
  for (const std::string &key : layer_keys)
    all.push_back({.decode = {.type = Type::kInteger}, .key = key, .title = "", .unit = Unit::kNs});
  return all;
}

uint64_t time_in(const Sample &sample, std::string_view layer) {
  uint64_t ns = 0;
  for (size_t i = 1; i < sample.hops.size(); i++)
    if (sample.hops[i].spent_in == layer) ns += sample.hops[i].ts_ns - sample.hops[i - 1].ts_ns;
  return ns;
}

}  // namespace

SampleCondition::SampleCondition(std::string_view text, Schema columns, std::span<const std::string_view> layers,
                                 Other other)
    : other_(std::move(other)),
      layers_(layers_without(columns, layers)),
      layer_keys_(keys_of(layers_)),
      columns_(columns_with(columns, layer_keys_)),
      condition_("when", text, columns_) {}

bool SampleCondition::holds(const Sample &sample) const {
  return condition_.holds([&](size_t column) { return value_of(sample, column); });
}

Value SampleCondition::value_of(const Sample &sample, size_t column) const {
  switch (column) {
    case 0:
      return std::string(sample.outcome->key);
    case 1:
      return sample.reason;
    case 2:
      return sample.seen_ns;
    case 3:
      return sample.total_ns;
    default:
      break;
  }
  const size_t first_layer = columns_.size() - layers_.size();
  if (column >= first_layer) return time_in(sample, layers_[column - first_layer]);
  if (const Value *value = strata::value_of(sample.fields, columns_[column].key)) return *value;
  return other_ ? other_(sample, columns_[column].key) : Value();
}

}  // namespace strata
