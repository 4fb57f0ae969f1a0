// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One followed procedure and the account of many: what the spans shape collects and every format renders.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/field.h"
#include "model/histogram.h"

namespace strata {

// Of the fields of a sample or a hop, that with this key; nullptr: it has none.
const Value *value_of(std::span<const NamedValue> fields, std::string_view key);

// A point that the sample passed.
struct Hop {
  std::string_view layer;  // the procedure's: "syscall", "block", ...
  std::string name;        // the event in the field's words: "enter", "issue", ...
  uint64_t ts_ns = 0;      // CLOCK_MONOTONIC
  uint32_t cpu = 0;
  uint32_t tid = 0;
  std::string comm;         // raw bytes of the kernel's comm, at most 15; renderers sanitise
  bool background = false;  // happened behind the application's back: outside of the system call that it waited for
  std::vector<NamedValue> fields;
  std::string_view spent_in = {};  // where the time since the hop before went: most often its own layer
};

// How a procedure can end, in its own words: it may have others beside these three.
struct Outcome {
  std::string_view key;   // in JSON
  std::string_view name;  // in text
  bool is_good = false;
  // Where each reason has a count of its own: what is around it in text.
  std::string_view before, after;

  [[nodiscard]] constexpr bool counts_by_reason() const { return !before.empty(); }
};
inline constexpr Outcome kCompleted{.key = "completed", .name = "completed", .is_good = true};
inline constexpr Outcome kFailed{.key = "failed", .name = "failed", .before = "failed with "};
inline constexpr Outcome kLost{.key = "lost", .name = "lost", .before = "lost (", .after = ")"};

struct Sample {
  uint64_t id = 0;
  const Outcome *outcome = nullptr;
  std::string reason;              // of a failure the errno's name, of a loss why; else what is unusual, if anything
  uint64_t start_ns = 0;           // CLOCK_MONOTONIC
  uint64_t seen_ns = 0;            // what the application waited for
  uint64_t total_ns = 0;           // from the start to the last hop
  uint64_t cgroup = 0;             // of its process when it began, where that was asked for (run/sample_columns.h)
  bool is_client = false;          // from the side of who has asked a server for it
  std::vector<NamedValue> fields;  // file, offset, bytes, ...
  std::vector<Hop> hops;           // in order of time
};

// Where the time of all samples went, layer by layer.
struct LayerTimes {
  std::string layer;
  bool background = false;
  size_t depth = 0;  // of the layer, from the application down, in the procedure's order
  Histogram ns;      // one entry per visit of a sample to the layer
};

// What became of all samples: `sampled` is the sum of the counts.
struct Account {
  struct Count {
    const Outcome *outcome;
    std::string reason;  // empty where the outcome is not counted by reason
    uint64_t n;
  };
  std::span<const Outcome *const> outcomes;  // of the procedure
  uint64_t sampled = 0;
  std::vector<Count> counts;  // the reasons of an outcome in the order in which they came

  void add(const Outcome &outcome, const std::string &reason, uint64_t n);
  [[nodiscard]] uint64_t of(const Outcome &outcome) const;
};

// Only samples that took at least so long are shown, and of which what else is asked for holds.
struct Thresholds {
  uint64_t seen_ns = 0;   // what the application waited for
  uint64_t total_ns = 0;  // from the start to the last hop
  std::string when = {};  // in words: "--when 'device_ns > 10ms'"
  std::function<bool(const Sample &)> holds = {};

  [[nodiscard]] bool any() const { return seen_ns != 0 || total_ns != 0 || holds; }
  [[nodiscard]] bool pass(const Sample &sample) const {
    return sample.seen_ns >= seen_ns && sample.total_ns >= total_ns && (!holds || holds(sample));
  }
};

// The samples that are below the thresholds.
struct Rest {
  Thresholds thresholds;
  uint64_t samples = 0;
  uint64_t total_ns = 0;
  std::vector<LayerTimes> layers;
};

// Samples by what they are: a procedure that knows says it of each (Procedure::label).
struct LabelTimes {
  struct Part {
    std::string_view layer;
    double median_ns, slowest_ns;  // of one sample, on average
  };
  std::optional<std::string> label;  // none: of those that have none, and of those that found no room in the table
  Histogram ns;                      // what the application waited for
  // In the order of the layers; those about the median (from the 45th percentile to the 55th), and the slowest 1 %.
  std::vector<Part> parts;
};

struct Summary {
  std::string attach_mode;         // how the samples were taken, e.g. "tracepoints: system call to request completion"
  std::vector<LayerTimes> layers;  // of the samples above the thresholds
  std::optional<Rest> rest;        // if there are any
  std::vector<LabelTimes> labels;  // if some sample has one; those that took the most in all first
  Account account;                 // of all
};

}  // namespace strata
