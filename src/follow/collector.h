// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What all followed procedures share when a sample has ended: its hops in order, what the application waited for, where
// the time went, and the account of all samples. Those below the thresholds are counted in all of this, apart from the
// others, so that what a slow sample had and the rest had not can be seen.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "follow/label_table.h"
#include "model/sample.h"

namespace strata {

// The connection of what is followed ended before it did.
inline constexpr Outcome kCutOff{.key = "cut_off", .name = "cut off", .before = "cut off (", .after = ")"};

// What a procedure says of itself.
struct Procedure {
  std::span<const Outcome *const> outcomes;              // in the order of the account
  std::span<const std::string_view> layers;              // from the application down: the order of the summary
  std::string_view (*attributed_layer)(const Hop &hop);  // that the time before a hop was spent in
  const Field *label = nullptr;                          // of a sample: those with one value are summed up
};

class Collector {
 public:
  using Done = std::function<void(const Sample &)>;

  Collector(const Procedure &procedure, Done done, const Thresholds &thresholds = {});

  // `left_ns`: when the call returned to the application, 0 if that was not seen.
  void finish(Sample &sample, const Outcome &outcome, const std::string &reason, uint64_t left_ns);
  void lose(const std::string &reason, uint64_t n);  // samples that were never reported
  void leave_out(const Outcome &outcome);            // one that is counted, and was not asked for
  void merge() { ++ended_; }                         // one that was taken twice: it is the same as another

  [[nodiscard]] uint64_t ended() const { return ended_; }
  [[nodiscard]] const Account &account() const { return account_; }
  [[nodiscard]] std::vector<LayerTimes> layers() const;  // of the samples that `done` was called with
  [[nodiscard]] std::optional<Rest> rest() const;        // of the others
  [[nodiscard]] std::vector<LabelTimes> labels() const { return labels_.rows(procedure_.layers); }

 private:
  using Layers = std::map<std::pair<bool, size_t>, LayerTimes>;  // by background and depth

  void add_label(const Sample &sample);
  void attribute_time(const Sample &sample, Layers &layers) const;
  [[nodiscard]] size_t depth_of(std::string_view layer) const;

  const Procedure &procedure_;
  Done done_;
  uint64_t ended_ = 0;
  Account account_;
  Layers layers_, rest_layers_;
  Rest rest_;
  LabelTable labels_;
};

}  // namespace strata
