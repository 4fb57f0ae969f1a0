#include "follow/write/follower.h"

#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "follow/read/tracker.h"
#include "follow/write/tracker.h"
#include "follow/write/wire.h"
#include "rec/pointers.h"

namespace strata {

namespace {
constexpr const char *kMissed = "completions that no hook saw";
}

std::unique_ptr<Chain> chain_of(const follow_attach_mode &mode, const Collector::Done &done, Disks disks,
                                const Thresholds &thresholds) {
  if (mode.reading != 0) return std::make_unique<ReadTracker>(done, std::move(disks), thresholds);
  return std::make_unique<Tracker>(mode.until_writeback != 0, done, std::move(disks), thresholds);
}

Summary summary_of(const Chain &chain, std::string attach_mode) {
  return {.attach_mode = std::move(attach_mode),
          .layers = chain.layers(),
          .rest = chain.rest(),
          .account = chain.account()};
}

void add_missed(const Chain &chain, std::vector<Loss> &losses) {
  if (chain.missed() != 0) losses.push_back({.reason = kMissed, .count = chain.missed()});
}

bool DiskNames::next(const follow_hop &hop, disk_name &disk) {
  if (hop.dev == 0 || !told_.insert(hop.dev).second) return false;
  disk = {.dev = hop.dev, .name = {}};
  disks_.name(hop.dev).copy(disk.name, sizeof(disk.name));
  return true;
}

Replayed replay_chain(Recording &recording, const Collector::Done &done, const Thresholds &thresholds) {
  Record record;
  Pointers pointers;
  std::unique_ptr<Chain> chain;
  std::string attach_mode;
  bool reading = false;
  follow_sampled end = {};
  while (recording.next(kFollowRecords, record)) {
    pointers.number_all(*record.type, record.bytes.data(), record.bytes.size());
    if (record.type == &kAttachModeRecord) {
      if (chain) throw Error(std::string("the recording says twice how its samples were taken"));
      const auto &head = *reinterpret_cast<const follow_attach_mode *>(record.bytes.data());
      attach_mode = cstr(head.text);
      reading = head.reading != 0;
      chain = chain_of(head, done, Disks("/nonexistent"), thresholds);
    } else if (record.type == &kDiskRecord && chain) {
      const auto &disk = *reinterpret_cast<const disk_name *>(record.bytes.data());
      chain->disks().set(static_cast<uint32_t>(disk.dev), cstr(disk.name));
    } else if (record.type == &kSampledRecord) {
      end = *reinterpret_cast<const follow_sampled *>(record.bytes.data());
    } else if (chain) {
      chain->on_record(record.bytes.data(), record.bytes.size());
    } else {
      throw Error(std::string("the recording does not say how its samples were taken"));
    }
  }
  if (!chain) chain = chain_of({}, done, Disks("/nonexistent"), thresholds);
  std::vector<Loss> losses = recording.losses();
  std::erase_if(losses, [](const Loss &loss) { return loss.reason == kMissed; });  // counted again below
  std::vector<Loss> reasons = losses;
  if (!recording.whole()) reasons.insert(reasons.begin(), Loss{.reason = "recording cut short", .count = 1});
  chain->end(end.sampled, reasons);
  add_missed(*chain, losses);
  return {.summary = summary_of(*chain, attach_mode),
          .losses = losses,
          .submits = end.submits,
          .whole = recording.whole(),
          .reading = reading};
}

}  // namespace strata
