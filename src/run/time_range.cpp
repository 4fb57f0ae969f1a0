// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/time_range.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"

namespace strata {
namespace {

uint64_t monotonic_of(const char *option, std::string_view text, const Clocks &clocks) {
  const std::optional<int64_t> later = clocks.until_time_of_day(text);
  if (!later)
    throw usage_error(std::string(option) + " takes a time of day, as 14:03:07 or 14:03:07.25, not '" +
                      printable(text) + "'");
  return *later < 0 ? clocks.monotonic_ns - std::min(clocks.monotonic_ns, static_cast<uint64_t>(-*later))
                    : clocks.monotonic_ns + static_cast<uint64_t>(*later);
}

}  // namespace

TimeRange::TimeRange(std::string_view from, std::string_view to, const Clocks &clocks) {
  if (!from.empty()) from_ns_ = monotonic_of("--from", from, clocks);
  const uint64_t end_ns = to.empty() ? UINT64_MAX : monotonic_of("--to", to, clocks);
  if (!to.empty()) last_ns_ = end_ns - std::min<uint64_t>(end_ns, 1);
  if (from_ns_ >= end_ns) throw usage_error("--to must be later than --from");
}

TimeRange::TimeRange(const Values &values, const Clocks &clocks)
    : TimeRange(values.given("from") ? std::string_view(values.text("from")) : "",
                values.given("to") ? std::string_view(values.text("to")) : "", clocks) {}

bool TimeRange::has(const Record &record) const {
  uint64_t at_ns = 0;
  for (const Field &field : record.type->fields) {
    if (field.bytes != sizeof(at_ns) || field.kind != Kind::kUnsigned) continue;
    uint64_t value = 0;
    memcpy(&value, record.bytes.data() + field.offset, sizeof(value));
    if (field.key == "time_ns" && value != 0) at_ns = value;
    if (field.name == "from_ns" && at_ns == 0) at_ns = value;
  }
  return at_ns == 0 || has(at_ns);
}

}  // namespace strata
