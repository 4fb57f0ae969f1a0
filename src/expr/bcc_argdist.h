// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// bcc's argdist as a program of the probe language: how often values of arguments and results come, or how they are
// distributed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/bcc_functions.h"

namespace strata::expr {

struct BccArgdist {
  std::vector<std::string> histograms, counts;  // "p:c:write(int fd, void *buf, size_t len):size_t:len:fd==1#label"
  uint32_t string_size = 0;                     // of text; 0: as long as it may be
  BccOutput output;
};

struct ArgdistHistogram {
  BccHistogram map;
  std::string below;     // the map of how many values are below 0, and in no histogram: "@read_below_0"
  std::string label;     // as it was given, or else the name of the map
  bool is_time = false;  // of what $latency says, in nanoseconds
};
struct ArgdistProgram {
  std::string text;
  std::vector<ArgdistHistogram> histograms = {};
};
ArgdistProgram argdist_program(const BccArgdist &options);  // throws a usage Error

}  // namespace strata::expr
