// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/heatmap_picture.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "base/text.h"
#include "render/axis.h"
#include "render/page.h"
#include "render/percentiles.h"
#include "render/shade.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr double kWidth = 960;
constexpr double kLeft = 84;  // of a plot
constexpr double kRight = 916;
constexpr double kPlotHeight = 240;
constexpr uint32_t kMostRows = 64;
constexpr uint32_t kMarginSlots = 8;  // half a power of two above and below the values
constexpr size_t kMostPlots = 24;
constexpr size_t kLetters = 88;      // of a line, whatever they are
constexpr size_t kNameLetters = 70;  // which are larger
constexpr size_t kTimeLabels = 11;

constexpr uint32_t kLastSlot = 975;  // of UINT64_MAX

// What to draw, computed once.
struct Picture {
  const HeatmapPage &page;
  Drawn drawn;
  std::vector<const Heatmap::Layer *> layers;  // those that are drawn
  size_t left_out = 0;                         // and those that are not
  uint64_t values_left_out = 0;
  const Shades *shades = nullptr;
  size_t used_shades = 0;  // 0: there are no values
  std::string svg;
  double y = 0;  // where the next part begins
};

struct Cell {
  size_t column;
  uint32_t row;
  uint64_t count;
};

ValueAxis axis_of(const HeatmapPage &page, const Field *column) {
  if (goes_round(*column)) return ValueAxis::whole_second();
  uint32_t low = kLastSlot;
  uint32_t high = 0;
  for (const Heatmap::Layer &layer : page.map.layers()) {
    if (layer.column != column) continue;
    for (const Heatmap::Counts &counts : layer.columns) {
      if (counts.empty()) continue;
      low = std::min(low, counts.begin()->first);
      high = std::max(high, counts.rbegin()->first);
    }
  }
  if (low > high) low = high = 0;
  return ValueAxis::around(low - std::min(low, kMarginSlots), std::min(high + kMarginSlots, kLastSlot), kMostRows);
}

std::vector<Cell> cells_of(const Heatmap::Layer &layer, const ValueAxis &axis) {
  std::vector<Cell> cells;
  for (size_t column = 0; column < layer.columns.size(); column++) {
    const size_t first = cells.size();
    for (const auto &[slot, count] : layer.columns[column]) {
      const uint32_t row = axis.cell_of(slot);
      if (cells.size() == first || cells.back().row != row) cells.push_back({.column = column, .row = row, .count = 0});
      cells.back().count += count;
    }
  }
  return cells;
}

Picture picture_of(const HeatmapPage &page, Drawn drawn) {
  Picture picture = {.page = page, .drawn = drawn, .layers = {}, .svg = {}};
  for (const Heatmap::Layer &layer : page.map.layers()) picture.layers.push_back(&layer);
  if (picture.layers.size() > kMostPlots) {
    std::stable_sort(picture.layers.begin(), picture.layers.end(),
                     [](const auto *a, const auto *b) { return a->total.count() > b->total.count(); });
    picture.left_out = picture.layers.size() - kMostPlots;
    for (size_t i = kMostPlots; i < picture.layers.size(); i++) {
      picture.values_left_out += picture.layers[i]->total.count();
    }
    picture.layers.resize(kMostPlots);
  }
  uint64_t most = 0;
  for (const Heatmap::Layer *layer : picture.layers) {
    for (const Cell &cell : cells_of(*layer, axis_of(page, layer->column))) most = std::max(most, cell.count);
  }
  picture.shades = &Shades::for_most(most);
  picture.used_shades = most == 0 ? 0 : picture.shades->shade_of(most) + 1;
  return picture;
}

// The shades in use are spread over all colours.
size_t colour_of(const Picture &picture, size_t shade) {
  constexpr size_t kLast = Shades::kCount - 1;
  return picture.used_shades == 1 ? kLast : shade * kLast / (picture.used_shades - 1);
}

uint64_t begin_ns(const HeatmapPage &page) {
  return page.map.columns().empty() ? 0 : page.map.columns().front().from_ns;
}
uint64_t end_ns(const HeatmapPage &page) { return page.map.columns().empty() ? 0 : page.map.columns().back().to_ns; }

// Of the first, whose like are all but the last.
uint64_t column_ns(const HeatmapPage &page) {
  return page.map.columns().empty() ? 0 : page.map.columns().front().to_ns - page.map.columns().front().from_ns;
}

double x_of(const HeatmapPage &page, uint64_t ns) {
  const uint64_t from_ns = begin_ns(page);
  const uint64_t to_ns = end_ns(page);
  if (to_ns <= from_ns || ns <= from_ns) return kLeft;
  const double part = static_cast<double>(ns - from_ns) / static_cast<double>(to_ns - from_ns);
  return std::round(10 * (kLeft + std::min(1.0, part) * (kRight - kLeft))) /
         10;  // as it is written, so that no gap is left
}

// To where the next cell begins.
std::string values_text(const HeatmapPage &page, const Field &column, const ValueAxis &axis, uint32_t row) {
  const uint64_t low = axis.low(row);
  const uint64_t high = axis.high(row);
  const auto text_of = [&](uint64_t value) { return value_text(column, value, page.info.head.clocks); };
  return low == high ? text_of(low) : text_of(low) + " to " + text_of(high + (high < UINT64_MAX));
}

// `text` in lines, each of at most so many letters: a longer word goes on in the next.
std::vector<std::string> short_lines(const std::string &text, size_t most) {
  std::vector<std::string> lines;
  for (std::string line : wrapped(text, most)) {
    while (cells(line) > most) {
      size_t end = 0;
      for (size_t letters = 0; letters < most; letters++) {
        do end++;
        while ((static_cast<uint8_t>(line[end]) & 0xc0) == 0x80);
      }
      lines.push_back(line.substr(0, end));
      line.erase(0, end);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

void put_lines(Picture &picture, std::string_view kind, const std::string &text) {
  for (const std::string &line : short_lines(text, kind == "name" ? kNameLetters : kLetters)) {
    picture.svg += formatted("<text class=\"{}\" x=\"24\" y=\"{}\">{}</text>\n", kind, picture.y, xml_text(line));
    picture.y += 18;
  }
}

void put_legend(Picture &picture) {
  constexpr double kSwatch = 34;
  double x = kRight - kSwatch * static_cast<double>(picture.used_shades);
  picture.svg += formatted("<text class=\"dim end\" x=\"{}\" y=\"35\">values in a cell, from</text>\n", x - 10);
  for (size_t shade = 0; shade < picture.used_shades; shade++, x += kSwatch) {
    picture.svg += formatted(
        "<rect class=\"c{}\" x=\"{}\" y=\"20\" width=\"{}\" height=\"12\"/><text class=\"dim\" x=\"{}\" "
        "y=\"46\">{}</text>\n",
        colour_of(picture, shade), x, kSwatch, x, shade_name(picture.shades->least[shade]));
  }
}

void put_head(Picture &picture) {
  const HeatmapPage &page = picture.page;
  picture.svg +=
      formatted("<text class=\"head\" x=\"24\" y=\"34\">{}</text>\n", xml_text(printable(page.info.head.program)));
  if (picture.used_shades > 0) put_legend(picture);
  picture.y = 70;
  if (const std::string run = run_text(page.info.head); !run.empty()) put_lines(picture, "dim", run);
  if (!page.map.columns().empty()) {
    const TimeSpan whole = {.from_ns = begin_ns(page), .to_ns = end_ns(page)};
    put_lines(picture, "dim",
              formatted("{}, {} a column", span_text(page.info.head.clocks, whole.from_ns, whole.to_ns),
                        scaled_ns(column_ns(page))));
  }
  if (picture.used_shades > 0 && !goes_round(*picture.layers.front()->column))
    put_lines(picture, "dim", std::string(kPercentileErrorText));
  for (const Loss &loss : page.losses) {
    put_lines(picture, "loss", lost_text(loss));
  }
  if (picture.left_out > 0) {
    put_lines(picture, "loss",
              formatted("{} more maps, with {} in all, are not drawn: those with the fewest values", picture.left_out,
                        count_text(picture.values_left_out)));
  }
}

void put_time_axis(Picture &picture) {
  const HeatmapPage &page = picture.page;
  const double bottom = picture.y + kPlotHeight;
  for (const Tick &tick :
       time_ticks(page.info.head.clocks, {begin_ns(page), end_ns(page)}, column_ns(page), kTimeLabels)) {
    const double x = kLeft + tick.at * (kRight - kLeft);
    picture.svg += formatted(
        "<path class=\"line\" d=\"M{:.1f} {}v4\"/><text class=\"dim middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", x,
        bottom, x, bottom + 18, tick.label);
  }
  if (page.map.columns().empty()) return;
  picture.svg += formatted("<text class=\"dim middle\" x=\"{}\" y=\"{}\">time ({})</text>\n", (kLeft + kRight) / 2,
                           bottom + 36, xml_text(printable(zone_text(page.info.head.clocks, begin_ns(page)))));
}

// Its word beside it, from the bottom to the top.
void put_value_axis(Picture &picture, const Field &column, const ValueAxis &axis) {
  const double row = kPlotHeight / axis.cells;
  const double middle = picture.y + kPlotHeight / 2;
  picture.svg += formatted("<text class=\"dim middle\" x=\"16\" y=\"{}\" transform=\"rotate(-90 16 {})\">{}</text>\n",
                           middle, middle, xml_text(distribution_name(column, {}, {})));
  for (const Tick &tick : value_ticks(axis, column, picture.page.info.head.clocks, 18 / row, 0)) {
    const double y = picture.y + kPlotHeight - tick.at * row;
    picture.svg +=
        formatted("<path class=\"line\" d=\"M{} {:.1f}H{}\"/><text class=\"dim end\" x=\"{}\" y=\"{:.1f}\">{}</text>\n",
                  kLeft - 4, y, kRight, kLeft - 8, y + 4, xml_text(tick.label));
  }
}

void put_cells(Picture &picture, const Heatmap::Layer &layer, const ValueAxis &axis) {
  const HeatmapPage &page = picture.page;
  const double row = kPlotHeight / axis.cells;
  for (const Cell &cell : cells_of(layer, axis)) {
    const TimeSpan &span = page.map.columns()[cell.column];
    const double x = x_of(page, span.from_ns);
    picture.svg +=
        formatted("<rect class=\"c{}\" x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\"",
                  colour_of(picture, picture.shades->shade_of(cell.count)), x,
                  picture.y + kPlotHeight - (cell.row + 1) * row, std::max(1.0, x_of(page, span.to_ns) - x), row);
    if (picture.drawn == Drawn::kInPage) {
      picture.svg += formatted(" data-t=\"{}\" data-v=\"{}\" data-n=\"{}\"/>\n", cell.column, cell.row, cell.count);
    } else {
      picture.svg +=
          formatted("><title>{}, {}: {}</title></rect>\n", times_text(page.info.head.clocks, span.from_ns, span.to_ns),
                    xml_text(values_text(page, *layer.column, axis, cell.row)), count_text(cell.count));
    }
  }
}

void put_plot(Picture &picture, const Heatmap::Layer &layer) {
  const ValueAxis axis = axis_of(picture.page, layer.column);
  const Clocks &clocks = picture.page.info.head.clocks;
  const std::string name = distribution_name(*layer.column, layer.keys, clocks);
  picture.y += 26;
  put_lines(picture, "name", name);
  const std::string count = count_text(layer.total.count());
  put_lines(picture, "dim",
            layer.total.count() == 0 || goes_round(*layer.column)
                ? count
                : count + ": " + percentiles_text(*layer.column, layer.total, clocks));
  const bool in_page = picture.drawn == Drawn::kInPage;
  picture.svg += in_page ? formatted(
                               "<g class=\"map\" tabindex=\"0\" role=\"application\" data-y=\"{}\" aria-label=\""
                               "heat map of {}, {}; arrow keys go from cell to cell\">\n",
                               picture.y, xml_text(name), count)
                         : "<g class=\"map\">\n";
  picture.svg += formatted("<rect class=\"plot\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, picture.y,
                           kRight - kLeft, kPlotHeight);
  put_time_axis(picture);
  if (layer.total.count() > 0) put_value_axis(picture, *layer.column, axis);
  put_cells(picture, layer, axis);
  picture.svg += "</g>\n";
  picture.y += kPlotHeight + 52;
}

}  // namespace

std::string picture_style() {
  const auto colours = [](const Rgb(&shades)[Shades::kCount]) {
    std::string css;
    for (size_t i = 0; i < Shades::kCount; i++) {
      css += formatted(".c{}{{fill:#{:02x}{:02x}{:02x}}}", i, shades[i].red, shades[i].green, shades[i].blue);
    }
    return css;
  };
  return "text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#1f2328}"
         "text.head{font-size:20px;font-weight:600}text.name{font-size:14px;font-weight:600}"
         "text.dim{fill:#57606a}text.loss{fill:#b3261e}.middle{text-anchor:middle}.end{text-anchor:end}"
         ".back{fill:#fff}.plot{fill:#f3f5f7}.line{stroke:#c8ced6;stroke-width:1;fill:none}"
         "rect{shape-rendering:crispEdges}" +
         colours(kShadesOnLight) +
         "@media(prefers-color-scheme:dark){text{fill:#e6e9ee}text.dim{fill:#a3acb8}text.loss{fill:#ff9a90}"
         ".back{fill:#14171c}.plot{fill:#1b1f26}.line{stroke:#39414d}" +
         colours(kShadesOnDark) + "}";
}

std::string picture_svg(const HeatmapPage &page, Drawn drawn) {
  Picture picture = picture_of(page, drawn);
  put_head(picture);
  for (const Heatmap::Layer *layer : picture.layers) put_plot(picture, *layer);
  if (picture.layers.empty()) {
    picture.y += 26;
    put_lines(picture, "name", "no values");
  }
  const double height = picture.y + 10;
  const bool alone = drawn == Drawn::kAlone;
  return formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\"{}>\n{}<rect class=\"back\" width=\"{}\" "
      "height=\"{}\"/>\n{}</svg>\n",
      kWidth, height, alone ? formatted(" width=\"{}\" height=\"{}\" role=\"img\"", kWidth, height) : "",
      alone ? "<title>" + xml_text(printable(page.info.head.program)) + ": heat map</title>\n<style>" +
                  picture_style() + "</style>\n"
            : "",
      kWidth, height, picture.svg);
}

std::vector<PlotNumbers> picture_numbers(const HeatmapPage &page) {
  std::vector<PlotNumbers> plots;
  for (const Heatmap::Layer *layer : picture_of(page, Drawn::kInPage).layers) {
    const ValueAxis axis = axis_of(page, layer->column);
    PlotNumbers plot = {
        .name = distribution_name(*layer->column, layer->keys, page.info.head.clocks), .times = {}, .values = {}};
    for (const TimeSpan &span : page.map.columns()) {
      const double x = x_of(page, span.from_ns);
      plot.times.push_back(
          {x, std::max(1.0, x_of(page, span.to_ns) - x), times_text(page.info.head.clocks, span.from_ns, span.to_ns)});
    }
    const double row = kPlotHeight / axis.cells;
    for (uint32_t i = 0; i < axis.cells; i++) {
      plot.values.push_back({kPlotHeight - (i + 1) * row, row, values_text(page, *layer->column, axis, i)});
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace strata
