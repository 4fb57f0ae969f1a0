// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/traceparent.h"

#include <algorithm>

#include "base/text.h"

namespace strata {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef", kEnd = "\r\n";

// Up to the end of the line, which is taken away; empty without one.
std::string_view take_line(std::string_view &text) {
  const size_t end = text.find(kEnd);
  const std::string_view line = end == text.npos ? std::string_view() : text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + kEnd.size());
  return line;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

bool is_number(std::string_view digits) { return digits.find_first_not_of(kDigits) == digits.npos; }
bool is_id(std::string_view digits) { return is_number(digits) && digits.find_first_not_of('0') != digits.npos; }

}  // namespace

bool is_traceparent(std::string_view value) {
  if (value.size() < kTraceparentSize || value[2] != '-' || value[35] != '-' || value[52] != '-') return false;
  const std::string_view version = value.substr(0, 2);
  if (!is_number(version) || version == "ff" || !is_number(value.substr(53, 2))) return false;
  const bool ends = version == "00" ? value.size() == kTraceparentSize
                                    : value.size() == kTraceparentSize || value[kTraceparentSize] == '-';
  return ends && is_id(trace_id_of(value)) && is_id(parent_id_of(value));
}

std::string_view traceparent_of(std::string_view request) {
  if (take_line(request).find(" HTTP/1.") == std::string_view::npos) return {};
  for (std::string_view line = take_line(request); !line.empty(); line = take_line(request)) {
    const size_t colon = line.find(':');
    if (colon == line.npos || !equal_in_any_case(line.substr(0, colon), kTraceparentKey)) continue;
    const std::string_view value = without_blanks(line.substr(colon + 1));
    return is_traceparent(value) ? value.substr(0, kTraceparentSize) : std::string_view();
  }
  return {};
}

}  // namespace strata
