// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The shape of a distribution: slots counted by the BPF side (bpf/lib/core/hist.h) become histograms, interval by
// interval.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/distribution.h"
#include "run/view.h"

namespace strata {

class Object;
class Recording;
class Session;

// Of the session's view, a HistogramSpec: of its keyed map, where a column that applies is of more than the slot, or
// where there is no other. An interval without a value puts out an empty histogram if nothing tells several apart, none
// if there would be several: then only the interval itself, which text and heat map show. The exit status.
int run_histogram(Session &session, Object &object);
int replay_histogram(Recording &recording, Session &session);

// What --sort may name: the columns that tell histograms apart, then the numbers that sum one up.
std::vector<Field> sortable_of_histograms(Schema columns);

// Which of several histograms come first, and how many are shown: --sort and --rows.
class HistogramOrder {
 public:
  HistogramOrder(Session &session, Schema columns);  // throws a usage Error where --sort names none of them

  size_t apply(std::vector<Distribution> &all) const;  // how many are left out

 private:
  [[nodiscard]] bool is_before(const Distribution &a, const Distribution &b) const;

  uint64_t most_ = UINT64_MAX;
  std::string_view key_;
  double (*number_)(const Histogram &values) = nullptr;
};

}  // namespace strata
