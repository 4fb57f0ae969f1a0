// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Samples by label: how long they took, and where the time of those about the median went beside that of the slowest.
// Their number is not known before, so none is kept: the time in each layer is summed up for each slot of the label's
// histogram, and what is on both sides of a boundary is taken in proportion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/field.h"
#include "model/histogram.h"
#include "model/sample.h"

namespace strata {

class LabelTable {
 public:
  static constexpr size_t kMost = 200;  // labels: what clients send may differ without end

  // `layer_ns` by the depth of the layer.
  void add(const Sample &sample, const Field &label, std::span<const uint64_t> layer_ns);
  [[nodiscard]] std::vector<LabelTimes> rows(std::span<const std::string_view> layers) const;

 private:
  struct Slot {
    uint64_t n = 0;
    std::vector<uint64_t> layer_ns;
  };
  struct Row {
    Histogram ns;
    std::map<uint32_t, Slot> slots;
  };
  static std::vector<double> mean_between(const Row &row, uint64_t from, uint64_t to);
  [[nodiscard]] static LabelTimes times_of(const Row &row, std::span<const std::string_view> layers);

  std::map<std::string, Row> rows_;
  Row others_;
};

}  // namespace strata
