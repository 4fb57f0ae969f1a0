// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/utf8.h"

#include <algorithm>
#include <iterator>

namespace strata {
namespace {

// Of Unicode 16: the categories Cc, Zl and Zp, Default_Ignorable_Code_Point, and the marks of annotations.
constexpr struct {
  uint32_t first, last;
} kHidden[] = {{0x0, 0x1f},      {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},    {0x61c, 0x61c},
               {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},  {0x2028, 0x202e},
               {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},  {0xffa0, 0xffa0},
               {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {0, 0};

  uint32_t code_point = lead & (0x7fU >> length);
  for (size_t i = 1; i < length; i++) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code_point = code_point << 6 | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < kLeast[length] || code_point > 0x10ffff || surrogate) return {0, 0};
  return {code_point, length};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = first_character(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool is_hidden(uint32_t code_point) {
  return std::any_of(std::begin(kHidden), std::end(kHidden),
                     [&](const auto &range) { return code_point >= range.first && code_point <= range.last; });
}

}  // namespace strata
