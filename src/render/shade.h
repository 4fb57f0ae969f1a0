// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The nine shades of a heat map: viridis, whose lightness alone tells them apart, so that nobody's eyes and no printer
// loses them; and what a terminal has for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/heatmap.h"

namespace strata {

struct Rgb {
  uint8_t red, green, blue;
};
inline constexpr Rgb kShadesOnDark[Shades::kCount] = {{0x41, 0x44, 0x87}, {0x35, 0x5f, 0x8d}, {0x2a, 0x78, 0x8e},
                                                      {0x21, 0x91, 0x8c}, {0x22, 0xa8, 0x84}, {0x44, 0xbf, 0x70},
                                                      {0x7a, 0xd1, 0x51}, {0xbd, 0xdf, 0x26}, {0xfd, 0xe7, 0x25}};
inline constexpr Rgb kShadesOnLight[Shades::kCount] = {{0x7a, 0xd1, 0x51}, {0x44, 0xbf, 0x70}, {0x22, 0xa8, 0x84},
                                                       {0x21, 0x91, 0x8c}, {0x2a, 0x78, 0x8e}, {0x35, 0x5f, 0x8d},
                                                       {0x41, 0x44, 0x87}, {0x48, 0x24, 0x75}, {0x44, 0x01, 0x54}};

enum class Colours : uint8_t {
  kAscii,  // characters
  kGrey,   // a terminal of eight colours: blocks in its greys
  k256,
  kTrue,  // 24 bit
};

// What the environment says of a terminal; a null pointer is a variable that is not set.
Colours colours_of(bool terminal, const char *term, const char *colorterm, const char *locale);
Colours colours_of(bool terminal);  // of this process's environment

// A line of cells, each a shade from 1 to Shades::kCount, or 0 for none.
std::string shades_text(std::string_view cells, Colours colours);

std::string shade_name(uint64_t least);  // of its least count: "300", "1k", "10M"

}  // namespace strata
