// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/start_time.h"

#include <cstdio>
#include <ctime>
#include <optional>
#include <string>

#include "base/ending.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/format.h"
#include "base/text.h"
#include "base/timer.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;

// ".25" and nothing behind it: 250,000,000; of nothing 0.
std::optional<uint64_t> fraction_ns(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != '.' || text.size() < 2 || text.size() > 10) return std::nullopt;
  uint64_t ns = 0;
  for (size_t i = 1; i < 10; i++) {
    const char digit = i < text.size() ? text[i] : '0';
    if (digit < '0' || digit > '9') return std::nullopt;
    ns = ns * 10 + static_cast<uint64_t>(digit - '0');
  }
  return ns;
}

std::optional<uint64_t> with_fraction(time_t seconds, std::string_view fraction) {
  const std::optional<uint64_t> ns = fraction_ns(fraction);
  if (seconds < 0 || !ns) return std::nullopt;
  return static_cast<uint64_t>(seconds) * kSecondNs + *ns;
}

std::optional<uint64_t> of_epoch(const std::string &text) {
  long long seconds = 0;
  int end = 0;
  if (text.find_first_not_of("0123456789.", 1) != std::string::npos ||
      sscanf(text.c_str(), "@%11lld%n", &seconds, &end) != 1)
    return std::nullopt;
  return with_fraction(seconds, std::string_view(text).substr(static_cast<size_t>(end)));
}

std::optional<uint64_t> of_date(const std::string &text) {
  tm utc{};
  const char *end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
  if (end == nullptr || text.back() != 'Z') return std::nullopt;
  const size_t at = static_cast<size_t>(end - text.c_str());
  const tm wanted = utc;
  const time_t seconds = timegm(&utc);
  if (utc.tm_mday != wanted.tm_mday || utc.tm_sec != wanted.tm_sec) return std::nullopt;  // February 30
  return with_fraction(seconds, std::string_view(text).substr(at, text.size() - 1 - at));
}

std::optional<uint64_t> parsed(const std::string &text, const Clocks &now) {
  if (text.starts_with('@')) return of_epoch(text);
  if (text.find('T') != std::string::npos) return of_date(text);
  const std::optional<int64_t> later = now.until_time_of_day(text);
  if (!later) return std::nullopt;
  return now.realtime_ns + static_cast<uint64_t>(*later);
}

}  // namespace

uint64_t start_time_ns(std::string_view text, const Clocks &now) {
  const std::optional<uint64_t> start_ns = parsed(std::string(text), now);
  if (!start_ns)
    throw usage_error(
        "--start-at takes a time of day (14:03:07), a date and time in UTC (2026-11-26T14:03:07Z) or "
        "seconds since 1970 (@1795701787), not '" +
        printable(text) + "'");
  if (*start_ns < now.realtime_ns)
    throw usage_error("--start-at " + printable(text) + " was " + scaled_ns(now.realtime_ns - *start_ns) + " ago");
  return *start_ns;
}

void wait_until(uint64_t realtime_ns, Ending &ending) {
  const Fd timer = timer_at(realtime_ns);
  while (!ending.take())
    if (wait_for_either(timer.get())) return;
  throw Error(std::string(name_of(ending.reason())) + " before it began");
}

}  // namespace strata
