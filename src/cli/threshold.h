// The value of an option "only what took at least so long": a time with its unit, because a number alone means
// milliseconds or microseconds to those who know other tools.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace strata {

// Throws a usage Error; `all` is what 0 means: "all calls".
inline uint64_t threshold_ns(std::string_view option, const std::string &text, std::string_view all) {
  constexpr uint64_t kMost = 3'600'000'000'000;
  uint64_t ns = 0;
  const bool unit = text.find_first_not_of("0123456789.") != std::string::npos;
  if (parse_duration_ns(text, ns) && ns <= kMost && (unit || ns == 0)) return ns;
  throw usage_error("--" + std::string(option) +
                    " takes a time up to 1h with its unit, such as 50us or 10ms, or 0 for " + std::string(all) +
                    ", not '" + printable(text) + "'");
}

}  // namespace strata
