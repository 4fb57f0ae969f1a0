#include "follow/collector.h"

#include <algorithm>

namespace strata {

Collector::Collector(const Procedure &procedure, Done done)
    : procedure_(procedure), done_(std::move(done)), account_{.outcomes = procedure.outcomes, .counts = {}} {}

void Collector::finish(Sample &sample, const Outcome &outcome, const std::string &reason, uint64_t left_ns) {
  std::stable_sort(sample.hops.begin(), sample.hops.end(),
                   [](const Hop &a, const Hop &b) { return a.ts_ns < b.ts_ns; });
  if (left_ns != 0) {
    for (Hop &hop : sample.hops) hop.background = hop.ts_ns > left_ns;
    sample.seen_ns = left_ns - sample.start_ns;
  }
  sample.outcome = &outcome;
  if (!reason.empty()) sample.reason = reason;
  sample.total_ns = sample.hops.back().ts_ns - sample.start_ns;
  account_.add(outcome, reason, 1);
  attribute_time(sample);
  ++ended_;
  done_(sample);
}

void Collector::lose(const std::string &reason, uint64_t n) { account_.add(kLost, reason, n); }

size_t Collector::depth_of(std::string_view layer) const {
  const auto found = std::find(procedure_.layers.begin(), procedure_.layers.end(), layer);
  return static_cast<size_t>(found - procedure_.layers.begin());
}

// Time between two hops belongs to the layer of the later one; hops of one layer in a row are one visit.
void Collector::attribute_time(const Sample &sample) {
  const std::vector<Hop> &hops = sample.hops;
  for (size_t i = 1; i < hops.size();) {
    const std::string_view layer = procedure_.attributed_layer(hops[i]);
    const bool background = hops[i].background;
    const auto same = [&](const Hop &hop) {
      return procedure_.attributed_layer(hop) == layer && hop.background == background;
    };
    const uint64_t from = hops[i - 1].ts_ns;
    for (++i; i < hops.size() && same(hops[i]); ++i) continue;
    LayerTimes &times = layers_[{background, depth_of(layer)}];
    times.layer = layer;
    times.background = background;
    times.ns.add(hops[i - 1].ts_ns - from);
  }
}

std::vector<LayerTimes> Collector::layers() const {
  std::vector<LayerTimes> all;
  for (const auto &[key, times] : layers_) all.push_back(times);
  return all;
}

}  // namespace strata
