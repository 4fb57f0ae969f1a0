// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which heat map: the name of the file says it. Pictures and pages are drawn at the end, from the whole map.
#include "render/heatmap.h"

#include "render/formats.h"
#include "render/second_parts.h"
#include "render/timed_stacks.h"

namespace strata {
namespace {

constexpr size_t kMostColumns = 240;

class HeatmapFile : public Sink {
 public:
  HeatmapFile(Writer writer, std::string (*draw)(const HeatmapPage &)) : Sink(std::move(writer)), draw_(draw) {}

  void put(const Item &item) override { dispatch(*this, item); }
  void on(const RunInfo &info) { info_ = info; }
  void on(const Distribution &distribution) { map_.add(distribution); }
  void on(const Interval &one) { map_.interval(one.from_ns, one.to_ns); }
  void on(const Table &table) {
    parts_.add(table, info_.head.clocks);
    if (draw_ == heatmap_html) stacks_.add(table, info_.head.clocks);
    take_parts(table.to_ns);
  }
  void on(const Losses &losses) { losses_.assign(losses.of.begin(), losses.of.end()); }
  void on(const End &) {
    take_parts(UINT64_MAX);
    HeatmapPage page = {.info = info_, .map = map_, .losses = losses_};
    if (!map_.columns().empty()) page.flame = stacks_.flame(info_, losses_, map_.columns().front().from_ns);
    write(draw_(page));
  }

  [[nodiscard]] uint64_t interval_ns() const override { return kColumnNs; }

 private:
  void take_parts(uint64_t until_ns) {
    parts_.take(until_ns, info_.head.clocks, [this](const Distribution &one) {
      map_.add(one);
      map_.interval(one.from_ns, one.to_ns);
    });
  }

  std::string (*draw_)(const HeatmapPage &);
  RunInfo info_;
  Heatmap map_{kMostColumns};
  std::vector<Loss> losses_;
  SecondParts parts_;
  TimedStacks stacks_;
};

}  // namespace

std::unique_ptr<Sink> make_heatmap_sink(Writer writer) {
  const std::string &name = writer.name();
  if (name.ends_with(".svg")) return std::make_unique<HeatmapFile>(std::move(writer), heatmap_svg);
  if (name.ends_with(".html")) return std::make_unique<HeatmapFile>(std::move(writer), heatmap_html);
  return make_heatmap_text(std::move(writer));
}

}  // namespace strata
