// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A value as its column says, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/field.h"
#include "model/loss.h"

namespace strata {

std::string value_text(const Field &column, const Value &value, const Clocks &clocks);  // printable; "" for no value
std::string safe_text(Unit unit, std::string_view text);  // from elsewhere: printable, and as no other is
std::string exact_text(const Field &column, const Value &value, const Clocks &clocks);  // in base units, for csv
std::string keys_text(const std::vector<NamedValue> &keys, const Clocks &clocks);  // "disk nvme0n1, operation read"
std::string distribution_name(const Field &column, const std::vector<NamedValue> &keys,
                              const Clocks &clocks);  // "latency of disk nvme0n1, read"
std::string label_of(const Field &column);            // its key without the unit: "size_bytes" -> "size"

std::vector<std::string_view> frames_of(std::string_view stack);  // of a text of Unit::kStack

std::string lost_text(const Loss &loss);  // "lost 12: ring buffer full"

// When it ended, in local time: "14:03:07", or with milliseconds if it was shorter than a second.
std::string time_of_interval(const Clocks &clocks, uint64_t from_ns, uint64_t to_ns);

// Wall-clock columns hold the clock of the events; what is stored is nanoseconds since 1970.
Value stored(const Field &column, const Value &value, const Clocks &clocks);

}  // namespace strata
