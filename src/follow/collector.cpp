// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/collector.h"

#include <algorithm>

namespace strata {

namespace {

std::vector<LayerTimes> in_order(const std::map<std::pair<bool, size_t>, LayerTimes> &layers) {
  std::vector<LayerTimes> all;
  for (const auto &[key, times] : layers) all.push_back(times);
  return all;
}

}  // namespace

Collector::Collector(const Procedure &procedure, Done done, const Thresholds &thresholds)
    : procedure_(procedure), done_(std::move(done)), account_{.outcomes = procedure.outcomes, .counts = {}} {
  rest_.thresholds = thresholds;
}

void Collector::finish(Sample &sample, const Outcome &outcome, const std::string &reason, uint64_t left_ns) {
  std::stable_sort(sample.hops.begin(), sample.hops.end(),
                   [](const Hop &a, const Hop &b) { return a.ts_ns < b.ts_ns; });
  if (left_ns != 0) {
    for (Hop &hop : sample.hops) hop.background = hop.ts_ns > left_ns;
    sample.seen_ns = left_ns - sample.start_ns;
  }
  for (Hop &hop : sample.hops) hop.spent_in = procedure_.attributed_layer(hop);
  sample.outcome = &outcome;
  if (!reason.empty()) sample.reason = reason;
  sample.total_ns = sample.hops.back().ts_ns - sample.start_ns;
  account_.add(outcome, reason, 1);
  ++ended_;
  if (procedure_.label != nullptr && outcome.is_good) add_label(sample);
  const bool passes = rest_.thresholds.pass(sample);
  attribute_time(sample, passes ? layers_ : rest_layers_);
  if (passes) return done_(sample);
  ++rest_.samples;
  rest_.total_ns += sample.total_ns;
}

void Collector::lose(const std::string &reason, uint64_t n) { account_.add(kLost, reason, n); }

// Fast ones, too, which a threshold does not show: they are what slow ones differ from.
void Collector::add_label(const Sample &sample) {
  const Thresholds &thresholds = rest_.thresholds;
  if (thresholds.holds && !thresholds.holds(sample)) return;
  std::vector<uint64_t> ns(procedure_.layers.size() + 1);
  for (size_t i = 1; i < sample.hops.size(); i++)
    if (!sample.hops[i].background)
      ns[depth_of(sample.hops[i].spent_in)] += sample.hops[i].ts_ns - sample.hops[i - 1].ts_ns;
  labels_.add(sample, *procedure_.label, ns);
}

void Collector::leave_out(const Outcome &outcome) {
  account_.add(outcome, {}, 1);
  ++ended_;
}

size_t Collector::depth_of(std::string_view layer) const {
  const auto found = std::find(procedure_.layers.begin(), procedure_.layers.end(), layer);
  return static_cast<size_t>(found - procedure_.layers.begin());
}

// Time between two hops belongs to the layer of the later one; hops of one layer in a row are one visit.
void Collector::attribute_time(const Sample &sample, Layers &layers) const {
  const std::vector<Hop> &hops = sample.hops;
  for (size_t i = 1; i < hops.size();) {
    const std::string_view layer = hops[i].spent_in;
    const bool background = hops[i].background;
    const auto same = [&](const Hop &hop) { return hop.spent_in == layer && hop.background == background; };
    const uint64_t from = hops[i - 1].ts_ns;
    for (++i; i < hops.size() && same(hops[i]); ++i) continue;
    const size_t depth = depth_of(layer);
    LayerTimes &times = layers[{background, depth}];
    times.layer = layer;
    times.background = background;
    times.depth = depth;
    times.ns.add(hops[i - 1].ts_ns - from);
  }
}

std::vector<LayerTimes> Collector::layers() const { return in_order(layers_); }

std::optional<Rest> Collector::rest() const {
  if (!rest_.thresholds.any()) return std::nullopt;
  Rest rest = rest_;
  rest.layers = in_order(rest_layers_);
  return rest;
}

}  // namespace strata
