// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A histogram with a name: what the histogram shape collects.
#pragma once

#include <cstdint>
#include <vector>

#include "model/field.h"
#include "model/histogram.h"

namespace strata {

struct Distribution {
  const Field *column = nullptr;  // of the values: unit and key
  std::vector<NamedValue> keys;   // which of several: disk nvme0n1, operation read; empty if there is one
  uint64_t from_ns = 0;           // CLOCK_MONOTONIC: the interval that it covers
  uint64_t to_ns = 0;
  Histogram values;
};

}  // namespace strata
