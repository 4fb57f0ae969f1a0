#include "follow/follower.h"

#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "follow/wire.h"

namespace strata {

namespace {
constexpr const char *kMissed = "completions that no hook saw";
}

Summary summary_of(const Chain &chain, std::string way) {
  return {.way = std::move(way), .layers = chain.layers(), .account = chain.account()};
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

Replayed replay_chain(Recording &recording, Chain::Done done) {
  Record record;
  std::optional<Chain> chain;
  std::string way;
  uint64_t sampled = 0;
  while (recording.next(kFollowRecords, record)) {
    if (record.type == &kWayRecord) {
      const auto &head = *reinterpret_cast<const follow_way *>(record.bytes.data());
      way = cstr(head.text);
      chain.emplace(head.until_writeback != 0, done, Disks("/nonexistent"));
    } else if (record.type == &kDiskRecord && chain) {
      const auto &disk = *reinterpret_cast<const disk_name *>(record.bytes.data());
      chain->disks().set(static_cast<uint32_t>(disk.dev), cstr(disk.name));
    } else if (record.type == &kSampledRecord) {
      sampled = reinterpret_cast<const follow_sampled *>(record.bytes.data())->sampled;
    } else if (chain) {
      chain->take(record.bytes.data(), record.bytes.size());
    } else {
      throw Error(std::string("the recording does not say which way its samples went"));
    }
  }
  if (!chain) chain.emplace(false, done);
  std::vector<Loss> losses = recording.losses();
  std::erase_if(losses, [](const Loss &loss) { return loss.reason == kMissed; });  // counted again below
  std::vector<Loss> reasons = losses;
  if (!recording.whole()) reasons.insert(reasons.begin(), Loss{.reason = "recording cut short", .count = 1});
  chain->end(sampled, reasons);
  add_missed(*chain, losses);
  return {.summary = summary_of(*chain, way), .losses = losses, .whole = recording.whole()};
}

}  // namespace strata
