// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One demand on what a program does:
//
//   opens <= 120    execs(file ~ '/sh$') == 0    p99(fsync) < 10ms    bytes_written <= 10MiB    opens
//
// A metric, perhaps of some rows alone, whose columns are compared as in --when; of a distribution one number, which
// p50() to p99.99(), max(), avg() or count() takes; and what it has to be. Without that it is only measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "gate/metric.h"
#include "model/condition.h"
#include "model/field.h"
#include "model/histogram.h"

namespace strata {

// As somebody wrote it.
struct Demand {
  std::string that;        // "opens <= 120"
  std::string name = {};   // of its own, for the reports; empty: none
  uint64_t least = 0;      // values that a distribution has to have; 0: as many as it takes
  std::string place = {};  // in a file: "gates.toml:7:8"; empty: it is of --that
  bool compared = true;    // with the baseline, if there is one
};

// That a distribution must have for a percentile to be more than the greatest of a handful.
uint64_t least_values_of(double percentile);

class Gate {
 public:
  // Throws a usage Error of --that, or of the place.
  explicit Gate(Demand demand);
  explicit Gate(std::string text) : Gate(Demand{.that = std::move(text)}) {}

  [[nodiscard]] const std::string &name() const { return name_; }
  [[nodiscard]] const std::string &text() const { return text_; }
  [[nodiscard]] const std::string &term() const { return term_; }  // what is measured: "p99(fsync)"
  [[nodiscard]] const Metric &metric() const { return *metric_; }
  [[nodiscard]] const std::string &rows() const { return rows_; }  // an expression as of --when; empty: all
  // It, over the columns that the rows have. Throws a usage Error, as the constructor does.
  [[nodiscard]] std::optional<Condition> rows_among(Schema columns) const;
  [[nodiscard]] Unit unit() const { return take_ == Take::kCount ? Unit::kNone : metric_->unit; }

  // Of a distribution the values that it must have.
  [[nodiscard]] uint64_t least_values() const;
  void set_least(uint64_t values) { least_ = values; }  // 0: as many as it takes
  [[nodiscard]] bool is_of_all_runs() const;            // a number of a distribution: several runs give one
  // By which two distributions are compared; none: by no test.
  [[nodiscard]] std::optional<double> tested_percentile() const;
  [[nodiscard]] uint64_t number_of(const Histogram &values) const;
  [[nodiscard]] bool is_of_percentile() const { return take_ == Take::kPercentile; }  // that number

  [[nodiscard]] bool compared() const { return compared_; }  // with the baseline, if there is one
  [[nodiscard]] bool demands() const { return wanted_.has_value(); }
  [[nodiscard]] bool holds(uint64_t number) const;  // if it demands something
  // What is behind the metric, "<= 120"; empty if nothing is.
  [[nodiscard]] const std::string &wanted() const { return wanted_text_; }

 private:
  enum class Take : uint8_t { kAll, kCount, kMax, kAverage, kPercentile };

  void read();
  size_t read_term(size_t at, bool within);  // "fsync", "p99(fsync)", "execs(file ~ sh)"; where it ends
  size_t end_of_parentheses(size_t at) const;
  bool read_take(std::string_view name);
  [[noreturn]] void fail(const std::string &what) const;
  [[nodiscard]] Error placed(const Error &mistake) const;  // with the place in the file, if it is of one

  std::string text_, name_, place_, term_;
  uint64_t least_;
  bool compared_;
  const Metric *metric_ = nullptr;
  std::string rows_;
  Take take_ = Take::kAll;
  double percentile_ = 0;
  std::string wanted_text_;
  std::optional<Condition> wanted_;
};

}  // namespace strata
