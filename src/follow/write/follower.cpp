#include "follow/write/follower.h"

#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "follow/write/wire.h"
#include "rec/pointers.h"

namespace strata {

namespace {
constexpr const char *kMissed = "completions that no hook saw";
}

Summary summary_of(const Tracker &tracker, std::string attach_mode) {
  return {.attach_mode = std::move(attach_mode),
          .layers = tracker.layers(),
          .rest = tracker.rest(),
          .account = tracker.account()};
}

void add_missed(const Tracker &tracker, std::vector<Loss> &losses) {
  if (tracker.missed() != 0) losses.push_back({.reason = kMissed, .count = tracker.missed()});
}

bool DiskNames::next(const follow_hop &hop, disk_name &disk) {
  if (hop.dev == 0 || !told_.insert(hop.dev).second) return false;
  disk = {.dev = hop.dev, .name = {}};
  disks_.name(hop.dev).copy(disk.name, sizeof(disk.name));
  return true;
}

Replayed replay_tracker(Recording &recording, const Collector::Done &done, const Thresholds &thresholds) {
  Record record;
  Pointers pointers;
  std::optional<Tracker> tracker;
  std::string attach_mode;
  follow_sampled end = {};
  while (recording.next(kFollowRecords, record)) {
    pointers.number_all(*record.type, record.bytes.data(), record.bytes.size());
    if (record.type == &kAttachModeRecord) {
      if (tracker) throw Error(std::string("the recording says twice how its samples were taken"));
      const auto &head = *reinterpret_cast<const follow_attach_mode *>(record.bytes.data());
      attach_mode = cstr(head.text);
      tracker.emplace(head.until_writeback != 0, done, Disks("/nonexistent"), thresholds);
    } else if (record.type == &kDiskRecord && tracker) {
      const auto &disk = *reinterpret_cast<const disk_name *>(record.bytes.data());
      tracker->disks().set(static_cast<uint32_t>(disk.dev), cstr(disk.name));
    } else if (record.type == &kSampledRecord) {
      end = *reinterpret_cast<const follow_sampled *>(record.bytes.data());
    } else if (tracker) {
      tracker->on_record(record.bytes.data(), record.bytes.size());
    } else {
      throw Error(std::string("the recording does not say how its samples were taken"));
    }
  }
  if (!tracker) tracker.emplace(false, done, Disks("/nonexistent"), thresholds);
  std::vector<Loss> losses = recording.losses();
  std::erase_if(losses, [](const Loss &loss) { return loss.reason == kMissed; });  // counted again below
  std::vector<Loss> reasons = losses;
  if (!recording.whole()) reasons.insert(reasons.begin(), Loss{.reason = "recording cut short", .count = 1});
  tracker->end(end.sampled, reasons);
  add_missed(*tracker, losses);
  return {.summary = summary_of(*tracker, attach_mode),
          .losses = losses,
          .submits = end.submits,
          .whole = recording.whole()};
}

}  // namespace strata
