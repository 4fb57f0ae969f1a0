// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/format.h"

#include <algorithm>

#include "base/text.h"

namespace strata::expr {

std::vector<FormatPart> parts_of_format(std::string_view format, std::string &fault) {
  std::vector<FormatPart> parts(1);
  for (size_t i = 0; i < format.size(); i++) {
    if (format[i] != '%') {
      parts.back().literal += format[i];
      continue;
    }
    if (format.substr(i).starts_with("%%")) {
      parts.back().literal += format[i++];
      continue;
    }
    const size_t flags_end = format.find_first_not_of("-+ #0123456789.", i + 1);
    const size_t kind_at = format.find_first_not_of("lhzjt", std::min(flags_end, format.size()));
    if (kind_at == std::string_view::npos) {
      fault = "the format ends within a %";
      return {};
    }
    FormatPart &part = parts.back();
    part.flags = format.substr(i + 1, flags_end - i - 1);
    part.kind = format.substr(kind_at, 1);
    const std::string_view length = format.substr(flags_end, kind_at - flags_end);
    part.bytes = length == "hh" ? 1 : length == "h" ? 2 : 8;
    if (part.kind == "r" && kind_at + 1 < format.size() && (format[kind_at + 1] == 'x' || format[kind_at + 1] == 'h'))
      part.kind += format[kind_at + 1];
    if (std::string_view("diuxXopcsr").find(part.kind[0]) == std::string_view::npos) {
      fault = "no %" + printable(part.kind) + " is known; there are %d %u %x %o %p %c %s %r";
      return {};
    }
    i = kind_at + part.kind.size() - 1;
    parts.emplace_back();
  }
  return parts;
}

std::string as_format(std::string_view text) {
  std::string format;
  for (const char one : text) format += one == '%' ? std::string("%%") : std::string(1, one);
  return format;
}

}  // namespace strata::expr
