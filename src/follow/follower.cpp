#include "follow/follower.h"

#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "follow/wire.h"

namespace strata {

Summary summary_of(const Chain &chain, std::string way) {
  return {.way = std::move(way), .layers = chain.layers(), .account = chain.account()};
}

Replayed replay_follow(Recording &recording, Chain::Done done) {
  WireRecord record;
  std::optional<Chain> chain;
  std::string way;
  uint64_t sampled = 0;
  while (recording.next(kFollowWires, record)) {
    if (record.wire == &kWayWire) {
      const auto &head = *reinterpret_cast<const follow_way *>(record.bytes.data());
      way = cstr(head.text);
      chain.emplace(head.until_writeback != 0, done);
    } else if (record.wire == &kSampledWire) {
      sampled = reinterpret_cast<const follow_sampled *>(record.bytes.data())->sampled;
    } else if (chain) {
      chain->take(record.bytes.data(), record.bytes.size());
    } else {
      throw Error("the recording does not say which way its samples went");
    }
  }
  if (!chain) chain.emplace(false, done);
  chain->end(sampled, recording.losses());
  return {.summary = summary_of(*chain, way), .losses = recording.losses(), .whole = recording.whole()};
}

}  // namespace strata
