// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps of a program that are shown as the histograms of the suite: hist(VALUE, 4), whose buckets are the slots of
// Histogram, beside stats() and max() of the same values, by which sum, average and maximum are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expr/bcc_functions.h"
#include "model/histogram.h"
#include "run/histogram.h"
#include "subsys/script_maps.h"

namespace strata {

class Session;

// What a program is to do for one is in expr/bcc_functions.h.
struct ScriptHistogram {
  expr::BccHistogram map;
  std::vector<Field> columns;  // that of the values; then that of what tells several apart
  std::string name = {};       // of one that has no key, beside others: the value of that column
  std::string below = {};      // the map of how many values are below 0, if there may be some: shown if there are
};

class ScriptHistograms {
 public:
  ScriptHistograms(Session &session, const expr::Plan &plan, const ScriptMaps &maps,
                   const std::vector<ScriptHistogram> &shown, bool cumulative);

  [[nodiscard]] bool has(uint32_t map) const;  // as one of the three of a histogram
  // Puts out what came since the last time, if it is the map of a hist(). What was shown is subtracted, and never
  // cleared: nothing is lost between reading and clearing.
  void put(uint32_t map);
  [[nodiscard]] bool counts_below(uint32_t map) const;
  [[nodiscard]] uint64_t values() const;  // that came since then

 private:
  struct Read {
    std::vector<uint64_t> buckets;
    uint64_t sum = 0, count = 0, max = 0;
  };
  using Reading = std::map<std::string, Read>;  // by the text of the key
  struct Maps {
    const ScriptHistogram *shown;
    uint32_t hist, stats, max;
    Reading before = {};
  };
  [[nodiscard]] Reading read(const Maps &maps) const;
  static Histogram since(const Read &before, const Read &now);

  Session &session_;
  const expr::Plan &plan_;
  const ScriptMaps &maps_;
  const bool cumulative_;
  std::vector<Maps> all_;
  std::optional<HistogramOrder> order_;  // of those that a key tells apart; else each is shown
  uint64_t from_ns_, to_ns_ = 0;         // of the interval that is put out
};

}  // namespace strata
