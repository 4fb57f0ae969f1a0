// The end of a sample: what became of it, where its time went, and the account of all.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "follow/hops.h"
#include "follow/tracker.h"
#include "kern/errno.h"

namespace strata {
namespace {

// btrfs keeps a file of up to so many bytes (max_inline) with its inode, ext4 of some 100: then no bio has its pages.
constexpr uint64_t kInlineBytes = 2048;
constexpr const char *kInline = "stored with the metadata";
constexpr const char *kUnseen = "completion not seen";
constexpr uint64_t kLongNs = 5'000'000'000;  // a bio that is older was completed, and nobody saw it

void count(std::vector<std::pair<std::string, uint64_t>> &by_reason, const std::string &reason, uint64_t n) {
  const auto it = std::find_if(by_reason.begin(), by_reason.end(), [&](const auto &e) { return e.first == reason; });
  if (it != by_reason.end())
    it->second += n;
  else
    by_reason.emplace_back(reason, n);
}

}  // namespace

// What is still open of these bytes was missed.
void Tracker::prove(InFlight &flight, const Ranges &bytes, uint64_t file_bytes) {
  flight.waiting.remove(flight.unconfirmed.within(bytes));
  flight.writeback.remove(bytes);
  if (flight.waiting.within(bytes).empty() && flight.queued.within(bytes).empty()) return settle(flight);
  if (!flight.failed.empty()) return finish(flight, Outcome::kFailed, flight.error);
  if (flight.waiting.within(bytes).empty()) {
    ++missed_;
    flight.sample.reason = kUnseen;
    flight.queued.remove(bytes);
    return settle(flight);
  }
  if (file_bytes <= kInlineBytes) return finish(flight, Outcome::kCompleted, kInline);
  finish(flight, Outcome::kLost, "no I/O seen");
}

void Tracker::settle(InFlight &flight) {
  if (flight.left_ns == 0 || !flight.syncs.empty()) return;
  if (!flight.waiting.empty() || !flight.queued.empty() || !flight.writeback.empty()) return;
  if (!flight.failed.empty()) return finish(flight, Outcome::kFailed, flight.error);
  finish(flight, flight.truncated.empty() ? Outcome::kCompleted : Outcome::kTruncated);
}

void Tracker::finish(InFlight &flight, Outcome outcome, const std::string &reason) {
  Sample &sample = flight.sample;
  std::stable_sort(sample.hops.begin(), sample.hops.end(),
                   [](const Hop &a, const Hop &b) { return a.ts_ns < b.ts_ns; });
  if (flight.left_ns != 0) {
    for (Hop &hop : sample.hops) hop.background = hop.ts_ns > flight.left_ns;
    sample.seen_ns = flight.left_ns - sample.start_ns;
  }
  sample.outcome = outcome;
  if (!reason.empty()) sample.reason = reason;
  sample.total_ns = sample.hops.back().ts_ns - sample.start_ns;
  switch (outcome) {
    case Outcome::kCompleted:
      ++account_.completed;
      break;
    case Outcome::kPending:
      ++account_.pending;
      break;
    case Outcome::kTruncated:
      ++account_.truncated;
      break;
    case Outcome::kFailed:
      count(account_.failed, reason, 1);
      break;
    case Outcome::kLost:
      count(account_.lost, reason, 1);
      break;
  }
  attribute_time(sample);
  ++ended_;
  ++account_.sampled;
  done_(sample);
  const auto it = by_id_.find(flight.id);
  flights_.erase(it->second);
  by_id_.erase(it);
}

void Tracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  // A write that was too large is a sample of its own, and takes no hop from another.
  const auto loss =
      std::find_if(losses.begin(), losses.end(), [](const Loss &l) { return l.count > 0 && l.reason != kTooLarge; });
  while (!flights_.empty()) {
    InFlight &flight = flights_.front();
    flight.syncs.clear();
    flight.writeback = Ranges();
    const size_t before = flights_.size();
    settle(flight);
    if (flights_.size() != before) continue;
    if (!flight.failed.empty())
      finish(flight, Outcome::kFailed, flight.error);
    else if (flight.refused)
      finish(flight, Outcome::kFailed, errno_name(EAGAIN));
    else if (loss != losses.end())
      finish(flight, Outcome::kLost, loss->reason);
    else if (!flight.queued.empty() && last_ns_ - flight.queued_ns > kLongNs)
      finish(flight, Outcome::kLost, kUnseen);
    else
      finish(flight, Outcome::kPending);
  }
  if (sampled <= started_) return;
  account_.sampled += sampled - started_;
  count(account_.lost, loss != losses.end() ? loss->reason : "never reported", sampled - started_);
}

// Time between two hops belongs to the layer of the later one; hops of one layer in a row are one visit.
void Tracker::attribute_time(const Sample &sample) {
  for (size_t i = 1; i < sample.hops.size();) {
    const std::string_view layer = attributed_layer(sample.hops[i]);
    const bool background = sample.hops[i].background;
    const uint64_t from = sample.hops[i - 1].ts_ns;
    uint64_t to = from;
    for (;
         i < sample.hops.size() && attributed_layer(sample.hops[i]) == layer && sample.hops[i].background == background;
         ++i)
      to = sample.hops[i].ts_ns;
    LayerTimes &times = layers_[{background, depth_of(layer)}];
    times.layer = layer;
    times.background = background;
    times.ns.add(to - from);
  }
}

std::vector<LayerTimes> Tracker::layers() const {
  std::vector<LayerTimes> all;
  for (const auto &[key, times] : layers_) all.push_back(times);
  return all;
}

}  // namespace strata
