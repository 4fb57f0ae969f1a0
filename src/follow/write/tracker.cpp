// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/write/tracker.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "follow/write/hops.h"
#include "kern/errno.h"
#include "rec/names.h"

namespace strata {

namespace {

constexpr int kIoQueued = 529;  // EIOCBQUEUED of include/linux/errno.h: the kernel's own, never seen by programs

bool written_at_return(uint32_t flags) { return flags & (CALL_SYNC | CALL_DIRECT); }

}  // namespace

Tracker::Tracker(bool until_writeback, Collector::Done done, Disks disks, const Thresholds &thresholds)
    : BlockTracker(kWriteProcedure, std::move(done), std::move(disks), thresholds), until_writeback_(until_writeback) {}

void Tracker::on_record(const void *record, size_t size) {
  const auto &hop = *static_cast<const follow_hop *>(record);
  if (size < sizeof(hop)) return;
  last_ns_ = std::max<uint64_t>(last_ns_, hop.ts_ns);
  switch (hop.kind) {
    case HOP_ENTER:
      if (size >= sizeof(follow_start)) start(*static_cast<const follow_start *>(record));
      return;
    case HOP_AGAIN:
      return again(hop);
    case HOP_LEAVE:
      return leave(hop);
    case HOP_ABANDONED:
    case HOP_UNKEPT:
      return give_up(hop);
    case HOP_DIRTY:
      return dirty(hop);
    case HOP_DROP:
    case HOP_FALLOCATE:
      return drop(hop);
    case HOP_END_WRITEBACK:
      return end_writeback(hop);
    case HOP_SYNC_ENTER:
      return is_sync_fs(hop) ? enter_sync_fs(hop) : enter_sync(hop);
    case HOP_SYNC_LEAVE:
      return is_sync_fs(hop) ? leave_sync_fs(hop) : leave_sync(hop);
    case HOP_WRITE_INODE:
      return write_inode(hop);
    case HOP_BIO:
      return queue(hop);
    default:
      return tracks_.on_record(hop);
  }
}

void Tracker::give_up(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  if (hop.kind == HOP_ABANDONED) return finish(*flight, kLost, "return not seen");
  const bool large = hop.result == LOSS_TOO_LARGE;
  finish(*flight, kLost, large ? std::string(kTooLarge) : "no room for its pages");
}

template <typename F>
void Tracker::each_of(uint64_t mapping, F &&fn) {
  flights_.each([&](InFlight &flight) {
    if (flight.mapping == mapping) fn(flight);
  });
}

template <typename F>
void Tracker::each_on(uint32_t fs_dev, F &&fn) {
  flights_.each([&](InFlight &flight) {
    if (fs_dev == 0 || flight.fs_dev == fs_dev) fn(flight);
  });
}

void Tracker::add_hop(InFlight &flight, const follow_hop &record) {
  flight.dirty_folios = 0;
  flight.sample.hops.push_back(hop_of(record, disks_));
}

// ---- the system call

void Tracker::start(const follow_start &record) {
  const follow_hop &hop = record.hop;
  if (InFlight *old = flights_.find(hop.id)) finish(*old, kLost, "never ended");
  InFlight &flight = flights_.add(hop.id, hop.ts_ns);
  flight.sample.cgroup = group();
  flight.sample.fields = sample_fields(record);
  flight.mapping = hop.mapping;
  flight.fs_dev = record.fs_dev;
  flight.lo = hop.lo;
  flight.hi = hop.hi;
  flight.flags = hop.flags;
  flight.waiting.add(hop.lo, hop.hi);
  add_hop(flight, hop);
}

void Tracker::again(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  flight->refused = false;
  flight->flags = hop.flags;
  add_hop(*flight, hop);
}

void Tracker::leave(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  add_hop(*flight, hop);
  if (hop.result == -EAGAIN && hop.flags & CALL_ASYNC) {
    flight->refused = true;
    return;
  }
  flight->left_ns = hop.ts_ns;
  if (hop.result == -kIoQueued) return settle(*flight);
  if (hop.result < 0) return finish(*flight, kFailed, errno_name(hop.result));
  if (hop.result == 0) {
    set_range(flight->sample, hop.lo, hop.lo);
    return finish(*flight, kEmpty);
  }
  if (hop.flags & CALL_UNSURE) return finish(*flight, kLost, "position in the file not known");
  if (hop.lo != flight->lo) move(*flight, hop.lo);
  flight->hi = hop.hi;
  for (Ranges *bytes : {&flight->waiting, &flight->queued, &flight->failed, &flight->truncated, &flight->unconfirmed,
                        &flight->writeback})
    *bytes = bytes->within(flight->lo, flight->hi);
  set_range(flight->sample, flight->lo, flight->hi);
  if (written_at_return(flight->flags)) return prove(*flight, Ranges(flight->lo, flight->hi), hop.flags);
  settle(*flight);
}

// O_APPEND, and the guess was wrong. The caller's own pages are in order wherever they go; pages of the page cache that
// were seen so far belonged to somebody else.
void Tracker::move(InFlight &flight, uint64_t lo) {
  const auto by = static_cast<int64_t>(lo - flight.lo);
  if (flight.flags & CALL_DIRECT) {
    flight.waiting = flight.waiting.shifted(by);
    flight.queued = flight.queued.shifted(by);
    flight.failed = flight.failed.shifted(by);
    tracks_.shift(flight.id, by);
  } else {
    flight.waiting = Ranges(lo, lo + (flight.hi - flight.lo));
    flight.queued = flight.unconfirmed = flight.truncated = flight.failed = flight.writeback = Ranges();
    tracks_.forget(flight.id);
  }
  flight.lo = lo;
}

// ---- the page cache

void Tracker::dirty(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  flight->dirtied.add(hop.lo, hop.hi);
  Hop next = hop_of(hop, disks_);
  const uint64_t folios = flight->dirty_folios + 1;
  if (folios == 1) {
    flight->sample.hops.push_back(std::move(next));
  } else {  // one hop for all, with the time of the last
    Hop &last = flight->sample.hops.back();
    last.ts_ns = next.ts_ns;
    last.name = "dirty " + std::to_string(folios) + " folios";
    std::get<uint64_t>(last.fields.back().value) += hop.hi - hop.lo;
  }
  flight->dirty_folios = folios;
}

void Tracker::truncate(InFlight &flight, const Ranges &bytes) {
  flight.waiting.remove(bytes);
  flight.truncated.add(bytes);
}

void Tracker::drop(const follow_hop &hop) {
  each_of(hop.mapping, [&](InFlight &flight) {
    if (written_at_return(flight.flags)) return;  // an O_DIRECT write drops pages itself
    Ranges cut = flight.waiting.within(hop.lo, hop.hi);
    if (flight.left_ns == 0) cut = cut.within(flight.dirtied);
    if (cut.empty()) return;
    add_hop(flight, hop);
    truncate(flight, cut);
    settle(flight);
  });
}

void Tracker::end_writeback(const follow_hop &hop) {
  each_of(hop.mapping, [&](InFlight &flight) {
    const Ranges unseen = hop.result == 0 ? flight.queued.within(hop.lo, hop.hi) : Ranges();
    if (unseen.empty() && !flight.writeback.overlaps(hop.lo, hop.hi)) return;
    add_hop(flight, hop);
    flight.writeback.remove(hop.lo, hop.hi);
    if (!unseen.empty()) complete_unseen(flight, unseen);
    settle(flight);
  });
}

void Tracker::enter_sync(const follow_hop &hop) {
  each_of(hop.mapping, [&](InFlight &flight) {
    const bool own = flight.left_ns == 0 && flight.sample.hops.front().tid == hop.tid;  // of an O_SYNC call
    if (flight.left_ns == 0 && !own) return;
    add_hop(flight, hop);
    if (!own) flight.syncs[hop.tid] = Ranges(hop.lo, hop.hi);
  });
}

void Tracker::leave_sync(const follow_hop &hop) {
  each_of(hop.mapping, [&](InFlight &flight) {
    const bool own = flight.left_ns == 0 && flight.sample.hops.front().tid == hop.tid;
    const auto sync = flight.syncs.extract(hop.tid);
    if (!own && sync.empty()) return;
    add_hop(flight, hop);
    if (own || hop.result != 0) return settle(flight);
    // A large folio that was cut in its middle may stay in the page cache: no drop tells of its end.
    truncate(flight, flight.waiting.within(hop.lo, UINT64_MAX));
    prove(flight, sync.mapped(), hop.flags);
  });
}

// sync and syncfs prove nothing of what bios have, which may wait for others; but inline and journalled data are
// durable.
void Tracker::enter_sync_fs(const follow_hop &hop) {
  each_on(hop.dev, [&](InFlight &flight) {
    if (flight.left_ns == 0) return;
    add_hop(flight, hop);
    flight.fs_syncs.insert(hop.tid);
  });
}

void Tracker::write_inode(const follow_hop &hop) {
  each_of(hop.mapping, [&](InFlight &flight) {
    if (flight.left_ns == 0 || flight.waiting.empty()) return;
    add_hop(flight, hop);
    flight.stored = hop.flags;
  });
}

void Tracker::leave_sync_fs(const follow_hop &hop) {
  each_on(hop.dev, [&](InFlight &flight) {
    if (flight.fs_syncs.erase(hop.tid) == 0) return;
    add_hop(flight, hop);
    const Ranges waiting = flight.waiting;
    if (hop.result == 0 && flight.stored != 0) prove(flight, waiting, flight.stored);
  });
}

// ---- bios

void Tracker::carry(Track &track, InFlight &flight) {
  const follow_hop &bio = track.bio;
  const bool buffered = !(bio.flags & BIO_DIRECT);
  // Pages are written whole: behind the end of the file the bio has zeros.
  const uint64_t size = buffered && bio.result > 0 ? static_cast<uint64_t>(bio.result) : UINT64_MAX;
  if (flight.left_ns != 0) truncate(flight, flight.waiting.within(size, UINT64_MAX));
  Ranges bytes = flight.waiting.within(bio.lo, std::min<uint64_t>(bio.hi, size));
  if (bytes.empty()) return settle(flight);
  add_hop(flight, bio);
  Ranges sure = bytes;
  if (flight.left_ns == 0 && !written_at_return(flight.flags)) sure = bytes.within(flight.dirtied);
  bytes.remove(sure);
  flight.waiting.remove(sure);
  flight.queued.add(sure);
  flight.queued_ns = bio.ts_ns;
  if (!sure.empty()) track.extents.push_back({flight.id, std::move(sure), false});
  if (!bytes.empty()) track.extents.push_back({flight.id, std::move(bytes), true});
}

void Tracker::queue(const follow_hop &hop) {
  tracks_.drop_idle();
  Track track{.bio = hop, .left = hop.sectors, .top = true, .extents = {}};
  if (!(hop.flags & BIO_DIRECT))
    each_of(hop.mapping, [&](InFlight &flight) { carry(track, flight); });
  else if (InFlight *flight = flights_.find(hop.parent))
    carry(track, *flight);
  tracks_.queue(std::move(track));
}

void Tracker::passed(const Extent &extent, const follow_hop &hop) {
  if (InFlight *flight = flights_.find(extent.id)) add_hop(*flight, hop);
}

void Tracker::completed(const Extent &extent, const Ranges &carried, const follow_hop &hop) {
  InFlight &flight = *flights_.find(extent.id);
  const Ranges bytes = carried.within(flight.lo, flight.hi);
  const std::string error = status_name(hop);
  if (extent.unconfirmed) {
    if (error.empty()) flight.unconfirmed.add(bytes);
    return;
  }
  flight.queued.remove(bytes);
  if (!error.empty()) {
    flight.failed.add(bytes);
    flight.error = error;
  } else if (until_writeback_ && !(flight.flags & CALL_DIRECT)) {
    flight.writeback.add(bytes);
  }
  settle(flight);
}

}  // namespace strata
