// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The drawing of a heat map that the SVG file and the page have in common: one plot for each map, time across, value
// up.
#pragma once

#include <string>
#include <vector>

#include "render/heatmap.h"

namespace strata {

enum class Drawn : uint8_t {
  kAlone,   // a file of its own: with its style, and a title for each cell
  kInPage,  // in HTML: cells carry data-t, data-v and data-n (column, row, count), plots take the keyboard
};

std::string picture_svg(const HeatmapPage &page, Drawn drawn);
std::string picture_style();  // CSS of its classes, for light and for dark

// What the picture says in numbers, for a page that answers to a pointer: lengths in the picture's units.
struct PlotNumbers {
  struct Place {
    double at, size;
    std::string text;  // "14:03:07 to 14:03:08", "4.10us to 8.19us"
  };
  std::string name;
  std::vector<Place> times;
  std::vector<Place> values;  // from the bottom to the top
};
std::vector<PlotNumbers> picture_numbers(const HeatmapPage &page);

}  // namespace strata
