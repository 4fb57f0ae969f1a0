// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a string from elsewhere, and as a number: what is made of them is safe, and reads back the same.
#include "base/text.h"

#include <cmath>

#include "fuzz.h"

namespace strata {
namespace {

void escape(std::string_view text) {
  const std::string safe = printable(text);
  require(printable(safe) == safe);
  for (const char c : safe) require(static_cast<uint8_t>(c) >= 0x20 && c != 0x7f);
  require(nlohmann::json(safe).dump().size() >= safe.size());  // throws unless it is UTF-8
  require(cells(safe) <= safe.size() && safe.size() <= 4 * std::max<size_t>(text.size(), cells(safe)));
  for (const int width : {-20, 0, 20}) {
    const std::string wide = padded(safe, width);
    require(cells(wide) == std::max<size_t>(cells(safe), static_cast<size_t>(std::abs(width))));
    require(width < 0 ? wide.starts_with(safe) : wide.ends_with(safe));
  }
}

void read_numbers(std::string_view text) {
  uint64_t number = 4711, again = 0;
  if (parse_number(text, number))
    require(parse_number(std::to_string(number), again) && again == number);
  else
    require(number == 4711);
  uint64_t ns = 4711;
  if (parse_duration_ns(text, ns))
    require(ns <= 9'000'000'000'000'000'000 && parse_duration_ns(std::to_string(ns) + "ns", again) && again == ns);
  else
    require(ns == 4711);
  for (const uint64_t value : {number, ns}) {
    require(scaled_ns(value).size() <= 13);  // 18446744073s
    require(scaled_bytes(value).size() <= 8);
  }
}

}  // namespace
}  // namespace strata

int fuzz_text(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  strata::escape(text);
  strata::read_numbers(text);
  return 0;
}
