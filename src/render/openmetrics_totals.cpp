// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/openmetrics_totals.h"

#include "base/text.h"
#include "render/value.h"

namespace strata {

void RunTotals::on(const RunInfo &info) {
  info_ = info;
  changed_ = true;  // there is a run, and it has counted nothing
}

void RunTotals::on(const Table &table) {
  for (const Row &row : table.rows) add(row);
  left_out_ += table.left_out;
  changed_ = true;
}

void RunTotals::on(const Distribution &distribution) {
  Labels labels;
  for (const NamedValue &key : distribution.keys) labels.emplace_back(key.column->key, text_of(*key.column, key.value));
  histograms_.of(std::move(labels)).merge(distribution.values, times_);
}

void RunTotals::on(const Interval &interval) {
  left_out_ += interval.left_out;
  changed_ = true;
}

std::string RunTotals::text_of(const Field &column, const Value &value) const {
  return value_text(column, value, info_.head.clocks);
}

void RunTotals::add(const Row &row) {
  Labels labels;
  for (const size_t i : info_.labels) labels.emplace_back(info_.columns[i].key, text_of(info_.columns[i], row[i]));
  Sums &sums = rows_.of(std::move(labels));
  sums.resize(info_.counters.size());
  for (size_t i = 0; i < sums.size(); i++)
    if (const auto *number = std::get_if<uint64_t>(&row[info_.counters[i]]))
      sums[i] = sums[i].value_or(0) + *number * times_;
}

void RunTotals::add(std::span<const Loss> losses) {
  for (const Loss &loss : losses) losses_[loss.reason] = loss.count;  // counted since the run began
  changed_ = true;
}

// "strata_biotop_device_seconds" of "device_ns"
std::string RunTotals::name_of(const Field &column, const Scale &scale) const {
  const std::string name = "strata_" + std::string(info_.tool) + "_", key(column.key);
  if (scale.base.empty()) return name + key;
  const bool has_unit = key.ends_with("_ns") || key.ends_with("_bytes");
  return name + (has_unit ? key.substr(0, key.rfind('_')) : key) + "_" + std::string(scale.base);
}

// Of the runs of all tools one page is made: these have one help, and the tool is a label.
void RunTotals::add_run(Families &families) const {
  const Labels tool = {{"tool", std::string(info_.tool)}};
  Labels with_version = tool;
  with_version.emplace_back("version", printable(info_.head.version));
  families.of("strata_run_info", MetricType::kGauge, {}, "A run: 1, and what it is of.").add(with_version, 1);
  families.of("strata_run_start_time_seconds", MetricType::kGauge, kOfNs, "When the run began, since 1970.")
      .add(tool, info_.head.clocks.realtime_ns);
  families.of("strata_rows_left_out", MetricType::kCounter, {}, "Rows, or histograms, that --rows cut: in no sum.")
      .add(tool, left_out_);
  Family &lost = families.of("strata_lost", MetricType::kCounter, {}, "What was not seen, by reason.");
  for (const auto &[reason, count] : losses_) {
    Labels labels = tool;
    labels.emplace_back("reason", printable(reason));
    lost.add(std::move(labels), count);
  }
}

void RunTotals::add_to(Families &families) const {
  add_run(families);
  for (size_t i = 0; i < info_.counters.size(); i++) {
    const Field &column = info_.columns[info_.counters[i]];
    const Scale scale = scale_of(column);
    Family *family = nullptr;
    for (const auto &[labels, sums] : rows_.all()) {
      if (!sums[i]) continue;
      if (family == nullptr) family = &families.of(name_of(column, scale), MetricType::kCounter, scale, column.help);
      family->add(labels, *sums[i]);
    }
  }
  if (!info_.distributions) return;
  const Field &column = info_.columns.front();
  const Scale scale = scale_of(column);
  Family &family = families.of(name_of(column, scale), MetricType::kHistogram, scale, column.help);
  for (const auto &[labels, values] : histograms_.all())
    family.points.push_back({.labels = labels, .number = 0, .values = &values});
}

}  // namespace strata
