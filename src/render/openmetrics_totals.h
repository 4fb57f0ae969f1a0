// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a run has counted since it began: a counter for each column of numbers that add up, by the other columns that
// are shown; a distribution is a histogram of classic buckets.
//
// Rejected: a gauge for what does not add up, averages and percentages of an interval: of several rows that have the
// same labels there is none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/table.h"
#include "render/openmetrics.h"
#include "render/sink.h"

namespace strata {

// What is known of each set of labels; of those for which there is no room, together.
template <typename Sum>
class Series {
 public:
  explicit Series(size_t most) : most_(most) {}

  Sum &of(Labels labels) {
    if (all_.size() >= most_ && !all_.contains(labels))
      for (auto &[name, value] : labels) value = kOthers;
    return all_[std::move(labels)];
  }
  [[nodiscard]] const std::map<Labels, Sum> &all() const { return all_; }

 private:
  size_t most_;
  std::map<Labels, Sum> all_;
};

class RunTotals {
 public:
  RunTotals() = default;
  RunTotals(size_t most_rows, size_t most_histograms) : rows_(most_rows), histograms_(most_histograms) {}

  void put(const Item &item) { dispatch(*this, item); }
  // What comes from now on counts so many times: it is of one event in as many.
  void count_each(uint64_t times) { times_ = times; }
  // True once after what changes them, which a histogram does with the end of its interval.
  [[nodiscard]] bool take_changed() { return std::exchange(changed_, false); }
  void add_to(Families &families) const;  // which they must outlive
  [[nodiscard]] const RunInfo &info() const { return info_; }

  void on(const RunInfo &info);
  void on(const Table &table);
  void on(const Distribution &distribution);
  void on(const Interval &interval);
  void on(const LossesUntilNow &losses) { add(losses.of); }
  void on(const Losses &losses) { add(losses.of); }
  void on(const End &) { changed_ = true; }

 private:
  using Sums = std::vector<std::optional<uint64_t>>;  // of each counter; none: it never had a value

  [[nodiscard]] std::string text_of(const Field &column, const Value &value) const;
  [[nodiscard]] std::string name_of(const Field &column, const Scale &scale) const;
  void add(const Row &row);
  void add(std::span<const Loss> losses);
  void add_run(Families &families) const;

  RunInfo info_;
  Series<Sums> rows_{1000};
  Series<Histogram> histograms_{200};  // each has some 30 series
  std::map<std::string, uint64_t> losses_;
  uint64_t left_out_ = 0;
  uint64_t times_ = 1;
  bool changed_ = false;
};

}  // namespace strata
