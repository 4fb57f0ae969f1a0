// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A line for each interval, as it ends: time down, value across, count as a shade. Axis and scale grow when a value or
// a count goes beyond them, and the new ones are written: nothing lies outside.
#include <algorithm>
#include <map>

#include "base/format.h"
#include "base/text.h"
#include "render/axis.h"
#include "render/day.h"
#include "render/heatmap.h"
#include "render/percentiles.h"
#include "render/second_parts.h"
#include "render/shade.h"
#include "render/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr uint32_t kOthers = 32;        // of a line, beside the cells of values
constexpr uint32_t kOthersWithMs = 36;  // where the time has milliseconds
constexpr uint32_t kLeastCells = 44;    // an axis has 42 or more
constexpr int kCountCells = 8, kMaxCells = 8;
constexpr size_t kLinesForHead = 20;  // as vmstat: about a screen

// Of one column of values.
struct Axis {
  uint32_t low = UINT32_MAX;  // slots that were seen
  uint32_t high = 0;
  ValueAxis cells;
};

class HeatmapText : public Sink {
 public:
  explicit HeatmapText(Writer writer)
      : Sink(std::move(writer)),
        colours_(colours_of(this->writer().terminal())),
        paint_(Paint::of(colours_ != Colours::kAscii)) {}

  void put(const Item &item) override { dispatch(*this, item); }
  void on(const RunInfo &info) {
    info_ = info;
    columns_ = static_cast<uint32_t>(writer().columns());  // later lines are below the earlier ones
  }
  void on(const Distribution &distribution) { parts_.push_back(distribution); }
  void on(const Table &table) {
    seconds_.add(table, info_.head.clocks);
    take_seconds(table.to_ns);
  }
  void on(const Interval &interval);
  void on(const Losses &losses) { losses_.assign(losses.of.begin(), losses.of.end()); }
  void on(const End &);

  [[nodiscard]] uint64_t interval_ns() const override { return kColumnNs; }

 private:
  void take_seconds(uint64_t until_ns) {
    seconds_.take(until_ns, info_.head.clocks, [this](const Distribution &one) {
      on(one);
      on(Interval{.from_ns = one.from_ns, .to_ns = one.to_ns});
    });
  }
  [[nodiscard]] std::vector<uint64_t> counts_of(const Distribution &part) const;
  void make_room(const Distribution &part);
  void head(const Field &column);
  void legend(const Field &column);
  void part(const Distribution &part, size_t layer);
  void line(std::string_view time, std::string_view number, const std::string &cells, const std::string &numbers);
  void total(const Heatmap::Layer &layer, size_t number);
  [[nodiscard]] uint32_t cells() const {
    const uint32_t others = time_cells_ > 8 ? kOthersWithMs : kOthers;
    return columns_ >= others + kLeastCells ? columns_ - others : kLeastCells;
  }

  Colours colours_;
  Paint paint_;
  RunInfo info_;
  Heatmap map_{2};                   // for the totals: each line has its own values
  std::vector<Distribution> parts_;  // of the interval that has not ended
  std::map<const Field *, Axis> axes_;
  const Shades *shades_ = nullptr;
  uint64_t most_ = 0;              // values in a cell
  const Field *headed_ = nullptr;  // whose axis was written last, and is right
  size_t lines_ = 0;               // since then
  uint32_t columns_ = 80;
  size_t time_cells_ = 0;
  Day day_{info_.head.clocks};
  std::string time_;
  bool several_ = false;  // maps: they are numbered
  std::vector<Loss> losses_;
  SecondParts seconds_;
};

// How many values each cell has.
std::vector<uint64_t> HeatmapText::counts_of(const Distribution &part) const {
  const ValueAxis &axis = axes_.at(part.column).cells;
  std::vector<uint64_t> counts(axis.cells);
  const std::vector<uint64_t> &slots = part.values.slots();
  for (uint32_t slot = 0; slot < slots.size(); slot++) {
    if (slots[slot] != 0) counts[axis.cell_of(slot)] += slots[slot];
  }
  return counts;
}

// On the axis, and on the scale of the shades.
void HeatmapText::make_room(const Distribution &part) {
  Axis &axis = axes_[part.column];
  const std::vector<uint64_t> &slots = part.values.slots();
  for (uint32_t slot = 0; slot < slots.size(); slot++) {
    if (slots[slot] == 0) continue;
    axis.low = std::min(axis.low, slot);
    axis.high = std::max(axis.high, slot);
  }
  if (axis.low > axis.high) return;
  if (!axis.cells.covers(axis.low) || !axis.cells.covers(axis.high)) {
    axis.cells =
        goes_round(*part.column) ? ValueAxis::whole_second() : ValueAxis::with_room(axis.low, axis.high, cells());
    if (headed_ == part.column) headed_ = nullptr;
  }
  for (const uint64_t count : counts_of(part)) most_ = std::max(most_, count);
  const Shades &shades = Shades::for_most(most_);
  if (shades_ != &shades) headed_ = nullptr;
  shades_ = &shades;
}

void HeatmapText::line(std::string_view time, std::string_view number, const std::string &cells,
                       const std::string &numbers) {
  write(padded(time, -static_cast<int>(time_cells_)));
  if (several_) write(" " + padded(number, 2));
  write(" |" + cells + "|" + numbers + "\n");
}

void HeatmapText::legend(const Field &column) {
  write(lines_ > 0 ? "\n" : "");
  std::string text =
      distribution_name(column, {}, info_.head.clocks) + ": time down, value across, values in a cell as a shade:\n ";
  for (size_t i = 0; i < Shades::kCount; i++) {
    const std::string shade(1, static_cast<char>(i + 1));
    text += " " + shades_text(shade, colours_) + " " + shade_name(shades_->least[i]) + " ";
  }
  write(text + "or more\n");
}

// The axis, where the bar before a label marks the cell of its value; and before it the legend, if it is new.
void HeatmapText::head(const Field &column) {
  if (headed_ == &column && lines_ < kLinesForHead) return;
  if (headed_ != &column) legend(column);
  const ValueAxis &axis = axes_.at(&column).cells;
  std::string marks(axis.cells, ' ');
  for (const Tick &tick : value_ticks(axis, column, info_.head.clocks, 2, 1)) {
    const std::string mark = "|" + tick.label;
    const auto at = static_cast<size_t>(tick.at);
    if (at + mark.size() <= marks.size()) marks.replace(at, mark.size(), mark);
  }
  write(padded("TIME", -static_cast<int>(time_cells_)) + (several_ ? " NR" : "") + "  " + marks + " " +
        padded("COUNT", kCountCells) + " " + padded("MAX <=", kMaxCells) + "\n");
  headed_ = &column;
  lines_ = 0;
}

void HeatmapText::part(const Distribution &part, size_t layer) {
  std::string shades(cells(), '\0');
  if (axes_[part.column].low <= axes_[part.column].high) {
    head(*part.column);
    const std::vector<uint64_t> counts = counts_of(part);
    for (size_t i = 0; i < counts.size(); i++) {
      if (counts[i] != 0) shades[i] = static_cast<char>(shades_->shade_of(counts[i]) + 1);
    }
  }
  // A longer count takes the spaces of the greatest value, so that the line is no wider than the terminal.
  const std::string count = padded(std::to_string(part.values.count()), kCountCells);
  const std::string max =
      part.values.count() == 0 ? "-" : value_text(*part.column, part.values.max(), info_.head.clocks);
  const int more = static_cast<int>(count.size()) - kCountCells;
  line(time_, std::to_string(layer + 1), shades_text(shades, colours_),
       count + " " + padded(max, std::max(kMaxCells - more, 0)));
  lines_++;
}

void HeatmapText::on(const Interval &interval) {
  const uint64_t from_ns = interval.from_ns, to_ns = interval.to_ns;
  if (time_cells_ == 0) time_cells_ = time_of_interval(info_.head.clocks, from_ns, to_ns).size();
  time_ = info_.head.clocks.wall_text(to_ns).substr(0, time_cells_);
  write(day_.line(to_ns));
  if (!map_.columns().empty() && map_.columns().back().to_ns < from_ns) {  // recordings leave out what is empty
    const std::string gap = "no values for " + scaled_ns(from_ns - map_.columns().back().to_ns);
    line("", "", padded(gap, -static_cast<int>(cells())), "");
  }
  for (const Distribution &part : parts_) make_room(part);
  std::vector<size_t> layers;
  for (const Distribution &part : parts_) {
    const size_t known = map_.layers().size();
    const size_t layer = map_.add(part);
    layers.push_back(layer);
    several_ = several_ || layer > 0 || !part.keys.empty();
    if (layer == known && several_) {
      write(lines_ > 0 ? "\n" : "");
      lines_ = 0;
      const std::string name = distribution_name(*part.column, part.keys, info_.head.clocks);
      for (const std::string &text : wrapped(formatted("{}: {}", layer + 1, name), columns_)) write(text + "\n");
      headed_ = nullptr;
    }
  }
  for (size_t i = 0; i < parts_.size(); i++) part(parts_[i], layers[i]);
  if (parts_.empty()) {
    line(time_, "", std::string(cells(), ' '), formatted("{:>8} {:>8}", 0, "-"));
    lines_++;
  }
  map_.interval(from_ns, to_ns);
  parts_.clear();
}

void HeatmapText::total(const Heatmap::Layer &layer, size_t number) {
  const std::string name = distribution_name(*layer.column, layer.keys, info_.head.clocks);
  std::string title = (several_ ? std::to_string(number) + ": " : "") + name + ": " + count_text(layer.total.count());
  std::string text;
  for (const std::string &part : wrapped(title, columns_)) text += part + "\n";
  if (layer.total.count() > 0 && !goes_round(*layer.column)) {
    for (const std::string &part : wrapped(percentiles_text(*layer.column, layer.total, info_.head.clocks), columns_)) {
      text += part + "\n";
    }
  }
  write(text);
}

void HeatmapText::on(const End &) {
  take_seconds(UINT64_MAX);
  if (!parts_.empty()) on(Interval{.from_ns = parts_.front().from_ns, .to_ns = parts_.front().to_ns});
  const auto columns = map_.columns();
  if (!columns.empty()) {
    const uint64_t from_ns = columns.front().from_ns;
    const uint64_t to_ns = columns.back().to_ns;
    std::string whole = info_.head.clocks.wall_text(from_ns).substr(0, time_cells_) + " to " +
                        info_.head.clocks.wall_text(to_ns).substr(0, time_cells_) + ", " + scaled_ns(to_ns - from_ns);
    if (most_ > 0 && !goes_round(*map_.layers().front().column)) whole += "; " + std::string(kPercentileErrorText);
    write("\n");
    for (const std::string &part : wrapped(whole, columns_)) write(part + "\n");
  }
  if (map_.layers().empty()) write("no values\n");
  for (size_t i = 0; i < map_.layers().size(); i++) total(map_.layers()[i], i + 1);
  for (const Loss &loss : losses_) {
    write(formatted("{}{}{}\n", paint_.red, lost_text(loss), paint_.plain));
  }
}

}  // namespace

std::unique_ptr<Sink> make_heatmap_text(Writer writer) { return std::make_unique<HeatmapText>(std::move(writer)); }

}  // namespace strata
