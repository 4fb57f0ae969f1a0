// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A heat map as lines of text while it is measured, and as a picture or a page at its end.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/heatmap.h"
#include "render/flame.h"
#include "render/sink.h"

namespace strata {

inline constexpr uint64_t kColumnNs = 1'000'000'000;  // of time, unless --interval says another

std::unique_ptr<Sink> make_heatmap_text(Writer writer);

struct HeatmapPage {
  const RunInfo &info;
  const Heatmap &map;
  std::span<const Loss> losses;
  FlameParts flame = {};  // of its stacks, of which a part of the time may be asked for; without data: it has none
};

std::string heatmap_svg(const HeatmapPage &page);
std::string heatmap_html(const HeatmapPage &page);

}  // namespace strata
