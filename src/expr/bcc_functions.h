// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// bcc's funccount, funclatency and funcslower as programs of the probe language.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "expr/bcc_line.h"
#include "expr/bcc_probe.h"
#include "expr/source.h"

namespace strata::expr {

// When maps are shown, and how.
struct BccOutput {
  uint64_t interval_ns = 0;  // 0: only at the end
  uint64_t count = 0;        // ends after so many intervals; 0: goes on
  bool time = false;         // in a line before the maps
  bool cumulative = false;   // what was shown is not forgotten
};
struct BccMap {
  std::string name;     // "@"
  bool beside = false;  // cleared with the others, and not shown by itself
};

// A histogram of the suite as maps: each power of two has as many buckets as Histogram (model/histogram.h) has slots,
// and beside them sum and maximum are exact.
struct BccHistogram {
  std::string name;    // "call_ns"
  bool keyed = false;  // several of them

  [[nodiscard]] std::string hist() const { return "@" + name; }
  [[nodiscard]] std::string stats() const { return hist() + "_stats"; }
  [[nodiscard]] std::string max() const { return hist() + "_max"; }
  // The statements that count a value, which is not below 0; `key`: "[func]", or nothing.
  [[nodiscard]] std::string count(const std::string &value, const std::string &key = {}) const;
  [[nodiscard]] std::vector<BccMap> maps() const;
};

// The probes that do so with `shown`; `hidden` are maps of the program's own.
std::string output_probes(const BccOutput &output, const std::vector<BccMap> &shown,
                          const std::vector<std::string> &hidden = {});

// Measures calls: what belongs to one waits on a stack of its thread, as calls may be nested. Of several functions each
// has its own, for a return that the kernel missed must not shift those of others.
struct BccCall {
  std::string suffix;                  // of its maps' names
  bool several = false;                // functions
  std::vector<std::string> kept = {};  // values that the return wants to know: "arg0"

  [[nodiscard]] std::string push() const;        // statements
  [[nodiscard]] std::string was_pushed() const;  // condition of the return
  [[nodiscard]] std::string pop() const;         // to $took, and $kept0, $kept1, ...
  [[nodiscard]] std::vector<std::string> maps() const;
};

std::string funccount_program(const Source &pattern, bool regular, const std::vector<uint32_t> &cpus,
                              const BccOutput &output);

struct FunclatencyOptions {
  bool regular = false, by_function = false;
  BccOutput output;
};
BccHistogram funclatency_histogram(const FunclatencyOptions &options);
std::string funclatency_program(const Source &pattern, const FunclatencyOptions &options);

struct FuncslowerOptions {
  uint64_t min_ns = 1'000'000;
  bool microseconds = false;           // LAT is in these, not in milliseconds
  bool time = false, elapsed = false;  // columns
  std::vector<BccOwner> owners = {};   // more of them
  bool kernel_stack = false, user_stack = false;
  uint64_t arguments = 0;  // the first of a call, at most six
  bool rows = false;       // for data too (bcc_line.h)
};
// Of each of the functions; throws a usage Error.
std::string funcslower_program(std::span<const std::string> functions, const FuncslowerOptions &options);

}  // namespace strata::expr
