// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/tracks.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace strata {

namespace {

// The bytes of a track that the sectors [lo, hi) of its device hold.
std::pair<uint64_t, uint64_t> bytes_of(const follow_hop &bio, uint64_t lo, uint64_t hi) {
  lo = std::max<uint64_t>(lo, bio.sector);
  hi = std::min<uint64_t>(hi, bio.sector + bio.sectors);
  if (lo >= hi) return {0, 0};
  return {bio.lo + (lo - bio.sector) * 512, bio.lo + (hi - bio.sector) * 512};
}

}  // namespace

void Tracks::drop_idle() {
  std::erase_if(tracks_, [&](const auto &track) {
    const auto &extents = track.second.extents;
    return std::none_of(extents.begin(), extents.end(),
                        [&](const Extent &extent) { return owner_.follows(extent.id); });
  });
}

void Tracks::queue(Track track) {
  if (!track.extents.empty()) tracks_[track.bio.id] = std::move(track);
}

Tracks::Track *Tracks::find(uint64_t id) {
  const auto it = tracks_.find(id);
  return it == tracks_.end() ? nullptr : &it->second;
}

void Tracks::on_record(const follow_hop &hop) {
  if (hop.kind == HOP_REMAP) return remap(hop);
  if (hop.kind == HOP_BIO_COMPLETE) return complete_bio(hop);
  pass(hop);
}

void Tracks::shift(uint64_t sample, int64_t by) {
  for (auto &[id, track] : tracks_) {
    for (Extent &extent : track.extents) {
      if (extent.id != sample) continue;
      extent.bytes = extent.bytes.shifted(by);
      track.bio.lo += by;
      track.bio.hi += by;
    }
  }
}

void Tracks::forget(uint64_t sample) {
  for (auto &[id, track] : tracks_)
    std::erase_if(track.extents, [&](const Extent &extent) { return extent.id == sample; });
}

void Tracks::remap(const follow_hop &hop) {
  const auto from = tracks_.find(hop.parent != 0 ? hop.parent : hop.id);
  if (from == tracks_.end()) return;
  std::set<uint64_t> told;
  tell(from->second, hop.lo, hop.hi, hop, told);
  if (hop.parent == 0) {
    from->second.bio.sector = hop.sector;
    from->second.bio.dev = hop.dev;
    return;
  }
  Track leg{.bio = hop, .left = hop.sectors, .top = false, .extents = {}};
  for (const Extent &extent : from->second.extents) {
    Ranges bytes = extent.bytes.within(hop.lo, hop.hi);
    if (!bytes.empty()) leg.extents.push_back({extent.id, std::move(bytes), extent.unconfirmed, extent.role});
  }
  queue(std::move(leg));
}

void Tracks::complete_bio(const follow_hop &hop) {
  const auto it = tracks_.find(hop.id);
  if (it == tracks_.end()) return;
  Track track = std::move(it->second);
  tracks_.erase(it);
  std::set<uint64_t> told;
  tell(track, track.bio.lo, track.bio.hi, hop, told);
  complete(track, hop, track.bio.lo, track.bio.hi);
}

void Tracks::tell(const Track &track, uint64_t lo, uint64_t hi, const follow_hop &hop, std::set<uint64_t> &told) {
  for (const Extent &extent : track.extents) {
    if (!extent.bytes.overlaps(lo, hi) || !told.insert(extent.id).second) continue;
    owner_.passed(extent, hop);
  }
}

void Tracks::pass(const follow_hop &hop) {
  std::set<uint64_t> told;
  for (auto it = tracks_.begin(); it != tracks_.end();) {
    Track &track = it->second;
    const auto [lo, hi] = bytes_of(track.bio, hop.sector, hop.sector + hop.sectors);
    bool over = false;
    if (track.bio.dev == hop.dev && lo < hi) {
      tell(track, lo, hi, hop, told);
      if (hop.kind == HOP_COMPLETE) over = complete(track, hop, lo, hi);
    }
    it = over ? tracks_.erase(it) : std::next(it);
  }
}

bool Tracks::complete(Track &track, const follow_hop &hop, uint64_t lo, uint64_t hi) {
  for (const Extent &extent : track.extents) {
    if (track.top && owner_.follows(extent.id)) owner_.completed(extent, extent.bytes.within(lo, hi), hop);
  }
  track.left -= std::min<uint64_t>(track.left, (hi - lo) / 512);
  return track.left == 0;
}

}  // namespace strata
