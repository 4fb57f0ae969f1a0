// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/meter.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "model/column_choice.h"
#include "model/record.h"
#include "model/table.h"

namespace strata {
namespace {

constexpr size_t kMostRows = 10;

// What stands for the values of a histogram in its row.
constexpr struct {
  Field column;
  uint64_t (*of)(const Histogram &values);
  bool is_value = true;  // in the unit of the values
} kOfHistograms[] = {
    {{.key = "count", .title = "COUNT", .width = 7, .help = "values"},
     [](const Histogram &values) { return values.count(); },
     false},
    {{.key = "p50", .title = "P50", .width = 8, .help = "half of the values are no greater"},
     [](const Histogram &values) { return values.percentile(50); }},
    {{.key = "p99", .title = "P99", .width = 8, .help = "99 in 100 values are no greater"},
     [](const Histogram &values) { return values.percentile(99); }},
    {{.key = "max", .title = "MAX", .width = 8, .help = "the greatest value"},
     [](const Histogram &values) { return values.max(); }},
};

uint64_t number_of(const Value &value) {
  if (const auto *number = std::get_if<uint64_t>(&value)) return *number;
  const auto *number = std::get_if<int64_t>(&value);
  return number != nullptr && *number > 0 ? static_cast<uint64_t>(*number) : 0;
}

}  // namespace

Histogram values_of(std::span<const Measurement> runs) {
  Histogram values;
  for (const Measurement &run : runs) values.merge(run.values);
  return values;
}

Meter::Meter(std::span<const Gate *const> gates, std::vector<Field> columns, bool histograms, Measured &measured)
    : Sink(Writer()), columns_(std::move(columns)), measured_(measured) {
  measured_.of.resize(gates.size());
  std::vector<Field> evidence;
  const Field values = histograms ? columns_.front() : Field();
  if (histograms) columns_.erase(columns_.begin());
  for (size_t i = 0; i < columns_.size(); i++) {
    if (columns_[i].hidden) continue;
    shown_.push_back(i);
    evidence.push_back(columns_[i]);
  }
  for (const auto &number : kOfHistograms) {
    if (!histograms) break;
    evidence.push_back(number.column);
    if (number.is_value) evidence.back().unit = values.unit;
  }
  for (size_t i = 0; i < gates.size(); i++) {
    const Gate &gate = *gates[i];
    Part part = {.gate = &gate, .measurement = &measured_.of[i]};
    part.measurement->evidence.columns = evidence;
    if (!gate.metric().only.empty()) part.conditions.emplace_back("that", gate.metric().only, columns_);
    if (std::optional<Condition> rows = gate.rows_among(columns_)) part.conditions.push_back(*std::move(rows));
    part.column = index_of(columns_, gate.metric().column);
    parts_.push_back(std::move(part));
  }
}

void Meter::add(const ValueAt &value_at, const Histogram *values) {
  for (Part &part : parts_) {
    const auto holds = [&](const Condition &condition) { return condition.holds(value_at); };
    if (std::ranges::all_of(part.conditions, holds)) add(part, value_at, values);
  }
}

void Meter::add(Part &part, const ValueAt &value_at, const Histogram *values) {
  Measurement &measurement = *part.measurement;
  const Metric::Of of = part.gate->metric().of;
  if (values != nullptr) {
    measurement.number += values->count();
    measurement.values.merge(*values);
    return keep(part, of == Metric::Of::kValues ? values->max() : values->count(), value_at, values);
  }
  if (of == Metric::Of::kCount) {
    measurement.number++;
    return keep(part, 0, value_at, values);
  }
  const Value value = value_at(part.column);
  if (std::holds_alternative<std::monostate>(value)) return;
  const uint64_t number = number_of(value);
  measurement.number += number;
  if (of == Metric::Of::kValues) measurement.values.add(number);
  if (of == Metric::Of::kValues || number != 0) keep(part, number, value_at, values);
}

// The rows that weigh most, in that order; of those that weigh the same the first.
void Meter::keep(Part &part, uint64_t weight, const ValueAt &value_at, const Histogram *values) {
  Evidence &evidence = part.measurement->evidence;
  const auto at = std::ranges::upper_bound(part.weights, weight, std::greater<>());
  const auto place = at - part.weights.begin();
  if (static_cast<size_t>(place) == kMostRows) {
    evidence.more++;
    return;
  }
  Row row;
  for (const size_t column : shown_) row.push_back(value_at(column));
  if (values != nullptr)
    for (const auto &number : kOfHistograms) row.emplace_back(number.of(*values));
  part.weights.insert(at, weight);
  evidence.rows.insert(evidence.rows.begin() + place, std::move(row));
  if (part.weights.size() <= kMostRows) return;
  part.weights.pop_back();
  evidence.rows.pop_back();
  evidence.more++;
}

void Meter::on(const Event &event) {
  add([&](size_t i) { return row_of(Schema(&columns_[i], 1), event.record).front(); }, nullptr);
}

void Meter::on(const Table &table) {
  std::vector<size_t> places;
  for (const Field &column : columns_) places.push_back(index_of(table.columns, column.key));
  // Of which rows the others are made is not known: sums of all of them are right, those of some are not.
  const bool choose = std::ranges::any_of(parts_, [](const Part &part) { return !part.conditions.empty(); });
  for (const Row &row : table.rows) {
    add([&](size_t i) { return row[places[i]]; }, nullptr);
    if (choose && std::ranges::find(row, Value(std::string(kOthers))) != row.end())
      measured_.losses.push_back({.reason = "rows that found no room", .count = 1});
  }
}

void Meter::on(const Losses &losses) {
  measured_.losses.insert(measured_.losses.end(), losses.of.begin(), losses.of.end());
}

void Meter::on(const Distribution &distribution) {
  const auto value_at = [&](size_t i) {
    const auto key =
        std::ranges::find(distribution.keys, columns_[i].key, [](const NamedValue &one) { return one.column->key; });
    return key == distribution.keys.end() ? Value() : key->value;
  };
  if (distribution.values.count() != 0) add(value_at, &distribution.values);
}

}  // namespace strata
