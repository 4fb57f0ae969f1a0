// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A picture in a file of its own.
#include "render/heatmap_picture.h"

namespace strata {

std::string heatmap_svg(const HeatmapPage &page) { return picture_svg(page, Drawn::kAlone); }

}  // namespace strata
