// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_histograms.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/clock.h"
#include "run/session.h"

namespace strata {
namespace {

uint32_t index_of_map(const expr::Plan &plan, const std::string &name) {
  const auto found = std::ranges::find(plan.maps, name.substr(1), &expr::MapPlan::name);
  return static_cast<uint32_t>(found - plan.maps.begin());
}

}  // namespace

ScriptHistograms::ScriptHistograms(Session &session, const expr::Plan &plan, const ScriptMaps &maps,
                                   const std::vector<ScriptHistogram> &shown, bool cumulative)
    : session_(session), plan_(plan), maps_(maps), cumulative_(cumulative), from_ns_(monotonic_ns()) {
  if (!shown.empty() && shown.front().map.keyed) order_.emplace(session, shown.front().columns);
  for (const ScriptHistogram &one : shown)
    all_.push_back({.shown = &one,
                    .hist = index_of_map(plan, one.map.hist()),
                    .stats = index_of_map(plan, one.map.stats()),
                    .max = index_of_map(plan, one.map.max())});
}

bool ScriptHistograms::has(uint32_t map) const {
  return std::ranges::any_of(all_,
                             [&](const Maps &one) { return map == one.hist || map == one.stats || map == one.max; });
}

bool ScriptHistograms::counts_below(uint32_t map) const {
  return std::ranges::any_of(
      all_, [&](const Maps &one) { return !one.shown->below.empty() && map == index_of_map(plan_, one.shown->below); });
}

ScriptHistograms::Reading ScriptHistograms::read(const Maps &maps) const {
  Reading reading;
  const auto each = [&](uint32_t map, const auto &take) {
    for (const ScriptMaps::Entry &entry : maps_.read(map, true))
      take(reading[maps_.keys_text(plan_.maps[map], entry, ", ")], entry.numbers);
  };
  each(maps.hist, [](Read &one, const std::vector<uint64_t> &numbers) { one.buckets = numbers; });
  each(maps.stats, [](Read &one, const std::vector<uint64_t> &numbers) {
    one.sum = numbers[0];
    one.count = numbers[1];
  });
  each(maps.max, [](Read &one, const std::vector<uint64_t> &numbers) { one.max = numbers[0]; });
  return reading;
}

// The first bucket is of values below 0, which have no slot. The maps are read one after the other: a sum of more or
// fewer values than the slots have is none of theirs, nor is one that has passed 2^64.
Histogram ScriptHistograms::since(const Read &before, const Read &now) {
  std::vector<uint64_t> counts(now.buckets);
  for (size_t i = 0; i < std::min(counts.size(), before.buckets.size()); i++) counts[i] -= before.buckets[i];
  if (!counts.empty()) counts.front() = 0;
  const uint64_t sum = now.sum - before.sum;
  uint64_t values = 0;
  long double least = 0;
  for (size_t i = 1; i < counts.size(); i++) {
    values += counts[i];
    least += static_cast<long double>(counts[i]) * Histogram::slot_low(static_cast<uint32_t>(i - 1));
  }
  const bool exact = values == now.count - before.count && least <= static_cast<long double>(sum);
  const auto last = std::find_if(counts.rbegin(), counts.rend(), [](uint64_t n) { return n != 0; }).base();
  Histogram histogram;
  for (auto at = counts.begin(); at != last; ++at) {
    const auto slot = static_cast<uint32_t>(at - counts.begin() - 1);
    const bool is_last = at + 1 == last;  // a greatest value of before is clamped to the slot
    if (*at != 0 && !exact)
      histogram.add_slot(slot, *at);
    else if (*at != 0)
      histogram.add_values(slot, *at, is_last ? sum : 0, is_last ? now.max : 0);
  }
  return histogram;
}

void ScriptHistograms::put(uint32_t map) {
  const auto maps = std::ranges::find(all_, map, &Maps::hist);
  if (maps == all_.end()) return;
  if (maps == all_.begin()) to_ns_ = monotonic_ns();
  const ScriptHistogram &shown = *maps->shown;
  Reading now = read(*maps);
  const bool keyed = !plan_.maps[map].key.empty();
  std::vector<Distribution> all;
  for (const auto &[key, one] : now) {
    Distribution distribution = {.column = &shown.columns.front(), .from_ns = from_ns_, .to_ns = to_ns_};
    distribution.values = since(maps->before[key], one);
    if (keyed && distribution.values.count() == 0) continue;
    if (shown.columns.size() > 1) distribution.keys.push_back({&shown.columns[1], keyed ? key : shown.name});
    session_.saw(distribution.values.count());
    all.push_back(std::move(distribution));
  }
  const size_t left_out = order_ ? order_->apply(all) : 0;
  for (const Distribution &one : all) session_.out().put(one);
  if (!cumulative_) maps->before = std::move(now);
  if (maps + 1 != all_.end()) return;
  session_.out().put(Interval{.from_ns = from_ns_, .to_ns = to_ns_, .left_out = left_out});
  if (!cumulative_) from_ns_ = to_ns_;
}

uint64_t ScriptHistograms::values() const {
  uint64_t count = 0;
  for (const Maps &maps : all_)
    for (const auto &[key, now] : read(maps)) {
      const auto before = maps.before.find(key);
      count += since(before == maps.before.end() ? Read() : before->second, now).count();
    }
  return count;
}

}  // namespace strata
