// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the output of a tool goes that runs for gates: nothing is shown, the metrics are taken.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/gate.h"
#include "model/condition.h"
#include "model/histogram.h"
#include "model/judgement.h"
#include "model/loss.h"
#include "render/sink.h"

namespace strata {

// What one run of a tool says of a gate.
struct Measurement {
  uint64_t number = 0;  // a count, or a sum
  Histogram values;     // of a distribution
  Evidence evidence;
};

Histogram values_of(std::span<const Measurement> runs);  // of all together

struct Measured {
  std::vector<Measurement> of;  // of each gate
  std::vector<Loss> losses;
};

class Meter final : public Sink {
 public:
  // The columns are those that the run's rows or, behind that of the values, its histograms have. Throws a usage Error
  // where a gate is about others.
  Meter(std::span<const Gate *const> gates, std::vector<Field> columns, bool histograms, Measured &measured);

  void put(const Item &item) override { dispatch(*this, item); }
  void flush() override {}

  void on(const Event &event);
  void on(const Table &table);
  void on(const Distribution &distribution);
  void on(const Losses &losses);

 private:
  struct Part {
    const Gate *gate;
    Measurement *measurement;
    std::vector<Condition> conditions = {};  // all of which hold of the rows that count
    size_t column = 0;                       // whose values are taken
    std::vector<uint64_t> weights = {};      // of the rows that are kept
  };
  using ValueAt = Condition::ValueOf;  // by the place in columns_

  // `values`: of a histogram, which stands for as many rows.
  void add(const ValueAt &value_at, const Histogram *values);
  void add(Part &part, const ValueAt &value_at, const Histogram *values);
  void keep(Part &part, uint64_t weight, const ValueAt &value_at, const Histogram *values);

  std::vector<Field> columns_;
  std::vector<size_t> shown_;  // of them those that evidence has
  Measured &measured_;
  std::vector<Part> parts_;
};

}  // namespace strata
