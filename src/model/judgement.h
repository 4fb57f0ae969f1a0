// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What is said of a program that was checked: a verdict on each gate, and the rows that it rests on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/field.h"

namespace strata {

enum class Verdict : uint8_t {
  kMeasured,  // nothing was demanded
  kHolds,
  kFails,
  kInvalid,  // neither: something was lost, or there are too few values
};

// Rows of a tool, those that say most first.
struct Evidence {
  std::vector<Field> columns;
  std::vector<Row> rows;
  uint64_t more = 0;  // rows that are not kept
};

struct Judged {
  std::string name;    // that somebody gave it; empty: none
  std::string gate;    // as it was typed: "opens <= 120"
  std::string metric;  // "opens"
  std::string wanted;  // "<= 120"; empty: nothing
  Unit unit = Unit::kNone;
  std::vector<uint64_t> values;           // of each run; or one of all of them, if there is any
  std::optional<uint64_t> baseline = {};  // the number that it was compared with
  Verdict verdict = Verdict::kMeasured;
  std::string why;    // of kInvalid
  Evidence evidence;  // of the run that failed, or else the last one
};

struct Judgement {
  std::vector<Judged> gates;
  uint64_t runs = 0;
  int status = 0;  // exit status of the command, the first that failed

  [[nodiscard]] uint64_t count(Verdict verdict) const {
    return static_cast<uint64_t>(std::ranges::count(gates, verdict, &Judged::verdict));
  }
};

}  // namespace strata
