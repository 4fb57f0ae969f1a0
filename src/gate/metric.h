// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What gates are about: a metric is a number, or a distribution, that a tool's rows give.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/field.h"

namespace strata {

struct Metric {
  enum class Of : uint8_t {
    kCount,   // rows of events, or values of histograms
    kSum,     // the values of a column of a table
    kValues,  // those of a column, or of histograms, as a distribution: of it p99(), max() and so on are taken
  };
  std::string_view name;  // an API
  std::string_view help;
  std::string_view tool;
  // Words of the tool's command line. Metrics of one tool with the same `options` share a run of it, which has the
  // `part` of each.
  std::string_view options = {}, part = {};
  Of of = Of::kCount;
  std::string_view column = {};    // of kSum; of kValues, if they come as rows
  std::string_view only = {};      // what always holds of the rows that count, as in --when
  Unit unit = Unit::kNone;         // of the number
  std::string_view harmless = {};  // losses that begin so change nothing of the number
};

std::span<const Metric> metrics();
const Metric *find_metric(std::string_view name);
std::string metrics_text();  // a line each, for people

}  // namespace strata
