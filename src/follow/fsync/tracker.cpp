// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/fsync/tracker.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"
#include "follow/write/hops.h"
#include "kern/errno.h"
#include "kern/path.h"
#include "kern/request.h"

namespace strata {

namespace {

constexpr const char *kUnseen = "completion not seen";
constexpr uint32_t kByCaller = 1U << 31;  // in Extent::role

bool is_flush(const follow_hop &hop) { return hop.sectors == 0 && request_operation(hop.opf) == "flush"; }

}  // namespace

FsyncTracker::FsyncTracker(Collector::Done done, Disks disks, const Thresholds &thresholds)
    : BlockTracker(kFsyncProcedure, std::move(done), std::move(disks), thresholds) {}

void FsyncTracker::on_record(const void *record, size_t size) {
  const auto &hop = *static_cast<const follow_hop *>(record);
  if (size < sizeof(hop)) return;
  switch (hop.kind) {
    case HOP_ENTER:
      if (size >= sizeof(follow_start)) start(*static_cast<const follow_start *>(record));
      return;
    case HOP_LEAVE:
      return leave(hop);
    case HOP_ABANDONED:
      if (InFlight *flight = flights_.find(hop.id)) finish(*flight, kLost, "return not seen");
      return;
    case HOP_SLEEP:
      return step(hop, Step::Kind::kSleep);
    case HOP_RUN:
      return step(hop, Step::Kind::kRun);
    case HOP_COMMIT_START:
    case HOP_COMMIT_FLUSH:
    case HOP_COMMIT_LOG:
    case HOP_COMMIT_END:
      return commit(hop);
    case HOP_COMMIT_WAIT:
      return wait_for_data(hop);
    case HOP_FILE:
      if (size >= sizeof(follow_start)) files_[hop.mapping] = path_of(static_cast<const follow_start *>(record)->path);
      return;
    case HOP_BIO:
      return queue(hop);
    default:
      if (is_flush(hop)) return flush(hop);
      if (hop.kind == HOP_BIO_COMPLETE && end_flush(hop)) return;
      return tracks_.on_record(hop);
  }
}

// ---- the system call

void FsyncTracker::start(const follow_start &record) {
  const follow_hop &hop = record.hop;
  if (InFlight *old = flights_.find(hop.id)) finish(*old, kLost, "never ended");
  if (flights_.empty()) {  // an address may be another file's by now
    files_.clear();
    flushes_.clear();
  }
  InFlight &flight = flights_.add(hop.id, hop.ts_ns);
  flight.sample.cgroup = group();
  flight.sample.fields = sync_fields(record);
  flight.mapping = hop.mapping;
  flight.fs_dev = record.fs_dev;
  flight.disk = hop.dev;
  flight.tid = hop.tid;
  step(hop, Step::Kind::kHop);
}

void FsyncTracker::step(const follow_hop &hop, Step::Kind kind) {
  if (InFlight *flight = flights_.find(hop.id)) flight->steps.push_back({.kind = kind, .hop = hop_of(hop, disks_)});
}

// The kernel says that what the fsync wrote is durable, also where no hook saw its completion.
void FsyncTracker::leave(const follow_hop &hop) {
  InFlight *flight = flights_.find(hop.id);
  if (flight == nullptr) return;
  step(hop, Step::Kind::kHop);
  flight->left_ns = hop.ts_ns;
  if (hop.result < 0) return finish(*flight, kFailed, errno_name(hop.result));
  if (flight->open == 0) return finish(*flight, kCompleted);
  ++missed_;
  flight->sample.reason = kUnseen;
  finish(*flight, kCompleted);
}

void FsyncTracker::finish(InFlight &flight, const Outcome &outcome, const std::string &reason) {
  attribute_waits(flight.steps, flight.sample, flight.left_ns);
  collector_.finish(flight.sample, outcome, reason, flight.left_ns);
  flights_.remove(flight);
}

// ---- the journal, and the device's cache

void FsyncTracker::commit(const follow_hop &record) {
  const auto fs = static_cast<uint32_t>(record.parent);
  committers_[fs] = record.tid;
  flights_.each([&](InFlight &flight) {
    if (flight.fs_dev != fs) return;
    Hop hop = hop_of(record, disks_);
    if (record.ts_ns < flight.sample.start_ns) found_under_way(hop, "commit under way", flight.sample.start_ns);
    const bool ends = record.kind == HOP_COMMIT_END;
    flight.steps.push_back({.kind = ends ? Step::Kind::kCommitted : Step::Kind::kCommit, .hop = std::move(hop)});
  });
}

void FsyncTracker::wait_for_data(const follow_hop &hop) {
  flights_.each([&](InFlight &flight) {
    const auto committer = committers_.find(flight.fs_dev);
    if (committer == committers_.end() || committer->second != hop.tid) return;
    Step step{.kind = Step::Kind::kWait,
              .role = Role::kOrdered,
              .whose = whose(hop, Role::kOrdered),
              .hop = hop_of(hop, disks_)};
    name_file(step.hop, step.whose);
    flight.steps.push_back(std::move(step));
  });
}

void FsyncTracker::flush(const follow_hop &hop) {
  const bool ends = hop.kind == HOP_COMPLETE;
  if (!ends && hop.kind != HOP_ISSUE) return;
  flights_.each([&](InFlight &flight) {
    if (flight.disk != hop.dev) return;
    flight.steps.push_back({.kind = ends ? Step::Kind::kFlushed : Step::Kind::kFlush, .hop = hop_of(hop, disks_)});
  });
}

bool FsyncTracker::end_flush(const follow_hop &hop) {
  const auto of = flushes_.extract(hop.id);
  if (of.empty()) return false;
  for (const uint64_t sample : of.mapped().samples) {
    InFlight *flight = flights_.find(sample);
    if (flight == nullptr) continue;
    flight->steps.push_back({.kind = Step::Kind::kDone,
                             .role = Role::kFlush,
                             .of_bio = true,
                             .by_caller = of.mapped().thread == flight->tid,
                             .bytes = 1,
                             .hop = hop_of(hop, disks_)});
  }
  return true;
}

// ---- bios

// What a bio may be to an fsync; false: nothing.
bool FsyncTracker::is_of(const InFlight &flight, const follow_hop &bio, Role &role) const {
  const bool own = bio.tid == flight.tid && bio.ts_ns >= flight.sample.start_ns;
  const bool flushes = bio.flags & BIO_FLUSH;
  role = bio.sectors == 0 ? Role::kFlush : flushes ? Role::kRecord : Role::kJournal;
  if (bio.mapping != 0 && bio.mapping == flight.mapping) {
    role = own ? Role::kOwn : Role::kOthers;
    return true;
  }
  if (own) return true;
  const auto committer = committers_.find(flight.fs_dev);
  if (committer != committers_.end()) {  // all that is written for the journal of ext4 its thread writes
    if (bio.tid != committer->second) return false;
    if (bio.mapping != 0) role = Role::kOrdered;
    return true;
  }
  return bio.dev == flight.disk && bio.flags & (BIO_META | BIO_FLUSH | BIO_FUA);
}

std::string FsyncTracker::whose(const follow_hop &bio, Role role) const {
  const auto file = files_.find(bio.mapping);
  if (role == Role::kOrdered && file != files_.end()) return file->second;
  return std::string(cstr(bio.comm)) + "/" + std::to_string(bio.tid);
}

void FsyncTracker::carry(Tracks::Track &track, InFlight &flight, const follow_hop &bio) {
  const auto same = [&](const Tracks::Extent &extent) { return extent.id == flight.id; };
  Role role;
  if (std::any_of(track.extents.begin(), track.extents.end(), same) || !is_of(flight, bio, role)) return;
  Hop hop = hop_of(bio, disks_);
  if (bio.ts_ns < flight.sample.start_ns) found_under_way(hop, "bio under way", flight.sample.start_ns);
  if (role == Role::kOrdered) name_file(hop, whose(bio, role));
  const uint64_t bytes = bio.hi - bio.lo;
  const bool own = bio.tid == flight.tid;
  if (role == Role::kOwn) flight.open += bytes;
  flight.steps.push_back({.kind = Step::Kind::kQueue,
                          .role = role,
                          .of_bio = true,
                          .by_caller = own,
                          .bytes = role == Role::kFlush ? 1 : bytes,
                          .whose = own ? std::string() : whose(bio, role),
                          .hop = std::move(hop)});
  if (role == Role::kFlush) {
    Flush &flush = flushes_[bio.id];
    flush.thread = bio.tid;
    flush.samples.push_back(flight.id);
  } else {
    track.extents.push_back(
        {.id = flight.id, .bytes = {bio.lo, bio.hi}, .role = static_cast<uint32_t>(role) | (own ? kByCaller : 0)});
  }
}

// Told a second time, it is under way and there is one more who may wait for it.
void FsyncTracker::queue(const follow_hop &hop) {
  Tracks::Track *known = tracks_.find(hop.id);
  if (known == nullptr) tracks_.drop_idle();
  Tracks::Track track{.bio = hop, .left = hop.sectors, .top = true, .extents = {}};
  flights_.each([&](InFlight &flight) { carry(known != nullptr ? *known : track, flight, hop); });
  if (known == nullptr) tracks_.queue(std::move(track));
}

void FsyncTracker::passed(const Tracks::Extent &extent, const follow_hop &hop) {
  InFlight *flight = flights_.find(extent.id);
  if (flight == nullptr || hop.kind == HOP_COMPLETE || hop.kind == HOP_BIO_COMPLETE) return;
  flight->steps.push_back({.kind = hop.kind == HOP_ISSUE ? Step::Kind::kIssue : Step::Kind::kHop,
                           .role = static_cast<Role>(extent.role & ~kByCaller),
                           .of_bio = true,
                           .by_caller = (extent.role & kByCaller) != 0,
                           .hop = hop_of(hop, disks_)});
}

void FsyncTracker::completed(const Tracks::Extent &extent, const Ranges &bytes, const follow_hop &hop) {
  InFlight &flight = *flights_.find(extent.id);
  const auto role = static_cast<Role>(extent.role & ~kByCaller);
  if (role == Role::kOwn) flight.open -= std::min(flight.open, bytes.bytes());
  flight.steps.push_back({.kind = Step::Kind::kDone,
                          .role = role,
                          .of_bio = true,
                          .by_caller = (extent.role & kByCaller) != 0,
                          .bytes = bytes.bytes(),
                          .hop = hop_of(hop, disks_)});
}

// ---- the end of the run

void FsyncTracker::end(uint64_t sampled, const std::vector<Loss> &losses) {
  const std::string lost = lost_by(losses, {kFsyncSkipped});
  flights_.end_all(collector_, sampled, lost, [&](InFlight &flight) {
    if (!lost.empty())
      finish(flight, kLost, lost);
    else
      finish(flight, kNotReturned);
  });
}

}  // namespace strata
