// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/read/tracker.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"
#include "follow/write/hops.h"
#include "kern/errno.h"

namespace strata {

namespace {

constexpr int kIoQueued = 529;  // EIOCBQUEUED of include/linux/errno.h: the kernel's own, never seen by programs
enum Role : uint32_t { kOwnBio, kForeignBio };
constexpr const char *kUnseen = "completion not seen";
constexpr const char *kPuzzled = "waited, not known for what";  // so what seems to be cached may be what it waited for

std::string who_of(const follow_hop &hop) { return cstr(hop.comm) + "/" + std::to_string(hop.tid); }

bool comes_again(const follow_hop &leave) {
  if (!(leave.flags & CALL_ASYNC)) return false;
  return leave.result == -EAGAIN || (leave.result == -kIoQueued && !(leave.flags & CALL_DIRECT));
}

}  // namespace

ReadTracker::ReadTracker(Collector::Done done, Disks disks, const Thresholds &thresholds)
    : BlockTracker(kReadProcedure, std::move(done), std::move(disks), thresholds) {}

void ReadTracker::on_record(const void *record, size_t size) {
  const auto &hop = *static_cast<const follow_hop *>(record);
  if (size < sizeof(hop)) return;
  switch (hop.kind) {
    case HOP_ENTER:
      if (size >= sizeof(follow_start)) start(*static_cast<const follow_start *>(record));
      return;
    case HOP_AGAIN:
      return again(hop);
    case HOP_LEAVE:
      return leave(hop);
    case HOP_ABANDONED:
      if (InFlight *flight = flights_.find(hop.id)) finish(*flight, kLost, "return not seen");
      return;
    case HOP_ADD:
      return add(hop);
    case HOP_SLEEP:
      return sleep(hop);
    case HOP_RUN:
      return run(hop);
    case HOP_BIO:
      return queue(hop);
    default:
      return tracks_.on_record(hop);
  }
}

// ---- the system call

void ReadTracker::start(const follow_start &record) {
  const follow_hop &hop = record.hop;
  if (InFlight *old = flights_.find(hop.id)) finish(*old, kLost, "never ended");
  InFlight &flight = flights_.add(hop.id, hop.ts_ns);
  flight.sample.cgroup = group();
  flight.sample.fields = sample_fields(record);
  flight.mapping = hop.mapping;
  flight.lo = hop.lo;
  flight.hi = hop.hi;
  flight.flags = hop.flags;
  if (hop.sectors != 0) flight.sources.page_bytes = hop.sectors * 512ULL;
  flight.sample.hops.push_back(hop_of(hop, disks_));
}

void ReadTracker::again(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  flight->refused = false;
  flight->flags = hop.flags;
  flight->lo = hop.lo;
  flight->hi = hop.hi;
  flight->sample.hops.push_back(hop_of(hop, disks_));
}

void ReadTracker::leave(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  flight->sample.hops.push_back(hop_of(hop, disks_));
  if (comes_again(hop)) {
    flight->refused = true;
    return;
  }
  flight->left_ns = hop.ts_ns;
  if (hop.result == -kIoQueued) {
    if (flight->open.empty()) finish_read(*flight);
    return;
  }
  if (hop.result < 0) return finish(*flight, kFailed, errno_name(hop.result));
  if (hop.result == 0) {
    set_range(flight->sample, hop.lo, hop.lo);
    return finish(*flight, kEmpty);
  }
  if (hop.flags & CALL_UNSURE) return finish(*flight, kLost, "position in the file not known");
  flight->lo = hop.lo;
  flight->hi = hop.hi;
  finish_read(*flight);
}

// The kernel says that the bytes are there: what is open of them has completed, and no hook saw it. That of somebody
// else may have come while it was found to be under way.
void ReadTracker::finish_read(InFlight &flight) {
  const bool unseen = flight.open.overlaps(flight.lo, flight.hi);
  if (unseen) ++missed_;
  set_range(flight.sample, flight.lo, flight.hi);
  const auto sources = flight.sources.fields(flight.lo, flight.hi, flight.size, flight.flags & CALL_DIRECT);
  flight.sample.fields.insert(flight.sample.fields.end(), sources.begin(), sources.end());
  if (unseen)
    flight.sample.reason = kUnseen;
  else if (flight.puzzled && std::get<uint64_t>(sources[1].value) != 0)
    flight.sample.reason = kPuzzled;
  finish(flight, kCompleted);
}

void ReadTracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  if (flight.sample.fields.back().column != kSourceColumns.back()) {
    for (const Field *column : kSourceColumns) flight.sample.fields.push_back({column, Value()});
  }
  collector_.finish(flight.sample, outcome, reason, flight.left_ns);
  flights_.remove(flight);
}

// ---- the page cache, and the thread

void ReadTracker::add(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  flight->sources.added.add(hop.lo, hop.hi);
  if (hop.result > 0) flight->size = static_cast<uint64_t>(hop.result);
  flight->sample.hops.push_back(hop_of(hop, disks_));
}

// Until it sleeps, and while it does, time belongs to what it waits for.
void ReadTracker::sleep(const follow_hop &record) {
  InFlight *flight = flights_.find(record.id);
  if (flight == nullptr) return;
  Hop hop = hop_of(record, disks_);
  flight->woken = false;
  if (!flight->open.empty())
    wait_in(hop, flight->stage);
  else if (!flight->open_others.empty())
    wait_for_other(hop);
  else
    flight->puzzled = true;
  flight->sample.hops.push_back(std::move(hop));
}

void ReadTracker::run(const follow_hop &record) {
  InFlight *flight = flights_.find(record.id);
  if (flight == nullptr) return;
  Hop hop = hop_of(record, disks_);
  if (!flight->woken && !flight->open.empty())
    wait_in(hop, flight->stage);
  else if (!flight->woken)
    wait_in(hop, HOP_RUN);
  flight->sample.hops.push_back(std::move(hop));
}

// ---- bios

// What a bio has to do with a read: it is the read's own, or has bytes that it wants.
void ReadTracker::carry(Tracks::Track &track, InFlight &flight, const follow_hop &bio) {
  // Another read may find it under way, and say so, before its own thread's program has: its thread tells, too.
  const bool by_thread = bio.tid == flight.sample.hops.front().tid && bio.ts_ns >= flight.sample.start_ns;
  const bool own = bio.parent == flight.id || (by_thread && !(bio.flags & BIO_DIRECT));
  const auto same = [&](const Tracks::Extent &extent) { return extent.id == flight.id; };
  if (std::any_of(track.extents.begin(), track.extents.end(), same)) return;
  const Ranges bytes = own ? Ranges(bio.lo, bio.hi) : Ranges(bio.lo, bio.hi).within(flight.lo, flight.hi);
  if (bytes.empty()) return;
  Hop hop = hop_of(bio, disks_);
  if (!own) wait_for_other(hop);
  if (bio.ts_ns < flight.sample.start_ns) found_under_way(hop, "bio under way", flight.sample.start_ns);
  flight.sample.hops.push_back(std::move(hop));
  if (own) {
    const bool compressed = bio.flags & BIO_OTHER_PAGES;
    flight.sources.compressed |= compressed;
    if (!compressed) flight.sources.own.add(bytes);
    flight.open.add(bytes);
    flight.stage = HOP_GETRQ;
    if (bio.result > 0) flight.size = static_cast<uint64_t>(bio.result);
  } else {
    flight.sources.others.push_back({bytes, who_of(bio)});
    flight.open_others.add(bytes);
  }
  track.extents.push_back({.id = flight.id, .bytes = bytes, .role = own ? kOwnBio : kForeignBio});
}

// Told a second time, it is under way and there is one more who wants it.
void ReadTracker::queue(const follow_hop &hop) {
  Tracks::Track *known = tracks_.find(hop.id);
  if (known == nullptr) tracks_.drop_idle();
  Tracks::Track track{.bio = hop, .left = hop.sectors, .top = true, .extents = {}};
  Tracks::Track &to = known != nullptr ? *known : track;
  if (hop.flags & BIO_DIRECT) {
    if (InFlight *flight = flights_.find(hop.parent)) carry(to, *flight, hop);
  } else {
    flights_.each([&](InFlight &flight) {
      if (flight.mapping == hop.mapping && flight.left_ns == 0) carry(to, flight, hop);
    });
  }
  if (known == nullptr) tracks_.queue(std::move(track));
}

void ReadTracker::passed(const Tracks::Extent &extent, const follow_hop &record) {
  InFlight *flight = flights_.find(extent.id);
  if (flight == nullptr) return;
  Hop hop = hop_of(record, disks_);
  if (extent.role == kForeignBio)
    wait_for_other(hop);
  else
    flight->stage = record.kind == HOP_ISSUE ? uint32_t{HOP_COMPLETE} : record.kind;
  flight->sample.hops.push_back(std::move(hop));
}

void ReadTracker::completed(const Tracks::Extent &extent, const Ranges &bytes, const follow_hop &hop) {
  InFlight &flight = *flights_.find(extent.id);
  (extent.role == kForeignBio ? flight.open_others : flight.open).remove(bytes);
  if (extent.role == kOwnBio && hop.result != 0) flight.error = status_name(hop);
  flight.woken = true;
  if (flight.left_ns == 0 || !flight.open.empty()) return;
  if (!flight.error.empty()) return finish(flight, kFailed, flight.error);
  flight.hi = std::max(flight.lo, std::min(flight.hi, flight.size));
  finish_read(flight);
}

// ---- the end of the run

void ReadTracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  const std::string lost = lost_by(losses, {kReadSkipped});
  flights_.end_all(collector_, sampled, lost, [&](InFlight &flight) {
    if (flight.refused)
      finish(flight, kFailed, errno_name(EAGAIN));
    else if (!lost.empty())
      finish(flight, kLost, lost);
    else
      finish(flight, kNotReadYet);
  });
}

}  // namespace strata
