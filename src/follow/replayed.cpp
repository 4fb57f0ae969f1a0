// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/replayed.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "rec/names.h"
#include "rec/pointers.h"

namespace strata {
namespace {

class Replay {
 public:
  Replay(const Chain &chain, const Collector::Done &done, const Thresholds &thresholds)
      : chain_(chain), done_(done), thresholds_(thresholds) {}

  void take(Record &record) {
    pointers_.number_all(*record.type, record.bytes.data(), record.bytes.size());
    const void *bytes = record.bytes.data();
    if (record.type == &kAttachModeRecord) return begin(*static_cast<const follow_attach_mode *>(bytes));
    if (record.type == &kSampledRecord) {
      end_ = *static_cast<const follow_sampled *>(bytes);
      return;
    }
    if (record.type == &kTaskGroupRecord) {
      group_ = static_cast<const task_group *>(bytes)->cgroup;
      return;
    }
    if (!tracker_) throw Error(std::string("the recording does not say how its samples were taken"));
    if (tracker_->on_name(*record.type, bytes)) return;
    tracker_->of_group(std::exchange(group_, 0));
    tracker_->on_record(bytes, record.bytes.size());
  }

  Replayed end(const Recording &recording);

 private:
  void begin(const follow_attach_mode &mode) {
    if (tracker_) throw Error(std::string("the recording says twice how its samples were taken"));
    attach_mode_ = cstr(mode.text);
    tracker_ = chain_.track(mode, done_, false, thresholds_);
  }

  const Chain &chain_;
  const Collector::Done &done_;
  const Thresholds &thresholds_;
  Pointers pointers_;
  std::unique_ptr<ChainTracker> tracker_;
  std::string attach_mode_;
  uint64_t group_ = 0;  // of the process of the next record
  follow_sampled end_ = {};
};

Replayed Replay::end(const Recording &recording) {
  if (!tracker_) tracker_ = chain_.track({}, done_, false, thresholds_);
  std::vector<Loss> losses = recording.losses();
  std::erase_if(losses, [&](const Loss &loss) { return loss.reason == tracker_->missed().reason; });  // counted again
  std::vector<Loss> reasons = losses;
  if (!recording.whole()) reasons.insert(reasons.begin(), Loss{.reason = "recording cut short", .count = 1});
  tracker_->end(end_.sampled, reasons);
  add_missed(*tracker_, losses);
  return {.summary = summary_of(tracker_->collector(), attach_mode_),
          .losses = losses,
          .submits = end_.submits,
          .whole = recording.whole()};
}

}  // namespace

Summary summary_of(const Collector &collector, std::string attach_mode) {
  return {.attach_mode = std::move(attach_mode),
          .layers = collector.layers(),
          .rest = collector.rest(),
          .labels = collector.labels(),
          .account = collector.account()};
}

void add_missed(const ChainTracker &tracker, std::vector<Loss> &losses) {
  if (tracker.missed().count != 0) losses.push_back(tracker.missed());
}

Replayed replay_chain(const Chain &chain, Recording &recording, const Collector::Done &done,
                      const Thresholds &thresholds, const RecordsBeside &beside) {
  Replay replay(chain, done, thresholds);
  std::vector<const RecordType *> types(chain.records.begin(), chain.records.end());
  types.insert(types.end(), beside.types.begin(), beside.types.end());
  for (Record record; recording.next(types, record);)
    if (!beside.take || !beside.take(record)) replay.take(record);
  return replay.end(recording);
}

}  // namespace strata
