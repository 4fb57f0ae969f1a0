// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/fsync/waits.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.h"
#include "follow/write/hops.h"

namespace strata {

namespace {

constexpr std::string_view kUnderWay = "others' I/O", kOrderedData = "ordered", kFlushing = "flush",
                           kUnknown = "other wait";

constexpr Field kWaits{.decode = {.type = Type::kText},
                       .key = "waits",
                       .title = "",
                       .help = "of an fsync: what was written that it waited for, and whose it was"};
constexpr Field kOwnBytes{.key = "own_bytes",
                          .title = "OWN",
                          .unit = Unit::kBytes,
                          .help = "of an fsync: of its file, that it wrote itself",
                          .hidden = true};
constexpr Field kUnderWayBytes{.key = "under_way_bytes",
                               .title = "UNDER WAY",
                               .unit = Unit::kBytes,
                               .help = "of an fsync: of its file, that others wrote",
                               .hidden = true};
constexpr Field kOrderedBytes{.key = "ordered_bytes",
                              .title = "ORDERED",
                              .unit = Unit::kBytes,
                              .help = "of an fsync: of other files, that the commit wrote",
                              .hidden = true};
constexpr Field kJournalBytes{.key = "journal_bytes",
                              .title = "JOURNAL",
                              .unit = Unit::kBytes,
                              .help = "of an fsync: of the journal, or metadata in its place",
                              .hidden = true};
constexpr Field kFlushes{.key = "flushes",
                         .title = "FLUSHES",
                         .help = "of an fsync: of the device's cache, that it waited for",
                         .hidden = true};

constexpr Field time_field(const char *key, const char *title, const char *help) {
  return {.key = key, .title = title, .unit = Unit::kNs, .help = help, .hidden = true};
}
constexpr Field kCpuNs = time_field("syscall_ns", "SYSCALL TIME", "of an fsync: in the call itself");
constexpr Field kOwnNs = time_field("own_ns", "OWN TIME", "of an fsync: waiting for what it wrote itself");
constexpr Field kUnderWayNs =
    time_field("under_way_ns", "UNDER WAY TIME", "of an fsync: for what others wrote of its file");
constexpr Field kOrderedNs = time_field("ordered_ns", "ORDERED TIME", "of an fsync: for other files' data in a commit");
constexpr Field kJournalNs = time_field("journal_ns", "JOURNAL TIME", "of an fsync: for the journal");
constexpr Field kFlushNs = time_field("flush_ns", "FLUSH TIME", "of an fsync: for the flush of the device's cache");
constexpr Field kWakeUpNs = time_field("wakeup_ns", "WAKE-UP TIME", "of an fsync: from the end of a wait to a CPU");
constexpr Field kOtherNs = time_field("other_ns", "OTHER TIME", "of an fsync: asleep, not known for what");

struct Layer {
  std::string_view name;
  const Field *field;  // of its time; two layers may share one
};
constexpr Layer kLayers[] = {
    {kSyscall, &kCpuNs},       {kBlock, &kOwnNs},           {kDevice, &kOwnNs},
    {kUnderWay, &kUnderWayNs}, {kOrderedData, &kOrderedNs}, {kJournal, &kJournalNs},
    {kFlushing, &kFlushNs},    {kWakeUp, &kWakeUpNs},       {kUnknown, &kOtherNs},
};
constexpr auto kDown = [] {
  std::array<std::string_view, std::size(kLayers)> names;
  for (size_t i = 0; i < names.size(); ++i) names[i] = kLayers[i].name;
  return names;
}();
constexpr const Field *kColumns[] = {&kWaits,     &kOwnBytes, &kUnderWayBytes, &kOrderedBytes, &kJournalBytes,
                                     &kFlushes,   &kCpuNs,    &kOwnNs,         &kUnderWayNs,   &kOrderedNs,
                                     &kJournalNs, &kFlushNs,  &kWakeUpNs,      &kOtherNs};

std::string_view attributed_layer(const Hop &hop) { return hop.layer; }
constexpr const Outcome *kOutcomes[] = {&kCompleted, &kNotReturned, &kFailed, &kLost};

// What the committing thread does after a wait.
bool goes_on(const Step &step) {
  return step.kind == Step::Kind::kQueue || step.kind == Step::Kind::kCommit || step.kind == Step::Kind::kCommitted;
}

// The state of a call while its steps are walked.
class Walk {
 public:
  // Where the time before a step went.
  [[nodiscard]] std::string_view layer_before(const Step &step) const;
  void take(const Step &step);

 private:
  [[nodiscard]] uint64_t open(Role role) const { return open_[static_cast<size_t>(role)]; }
  [[nodiscard]] bool in_commit() const { return open(Role::kJournal) != 0 || open(Role::kRecord) != 0 || committing_; }
  [[nodiscard]] std::string_view data_wait() const;
  [[nodiscard]] std::string_view commit_wait(const Step &step) const;

  std::array<uint64_t, 6> open_{};   // bytes under way by role; a flush counts as one
  std::string_view stage_ = kBlock;  // of its own bios
  bool asleep_ = false;
  bool for_data_ = false;   // what it sleeps for: data are first, and it runs before it goes on to the journal
  bool woken_ = false;      // something has ended since it fell asleep
  uint32_t committer_ = 0;  // that waits for others' data now
  bool committing_ = false, record_issued_ = false, flush_wanted_ = false;
  uint64_t flushing_ = 0;  // requests at the device
};

std::string_view Walk::layer_before(const Step &step) const {
  if (!asleep_) return kSyscall;
  return for_data_ ? data_wait() : commit_wait(step);
}

std::string_view Walk::data_wait() const {
  if (open(Role::kOwn) != 0) return stage_;
  if (open(Role::kOthers) != 0) return kUnderWay;
  return woken_ ? kWakeUp : kUnknown;
}

std::string_view Walk::commit_wait(const Step &step) const {
  if (open(Role::kFlush) != 0 || (open(Role::kRecord) != 0 && !record_issued_)) return kFlushing;
  if (flushing_ != 0 && flush_wanted_) return kFlushing;
  if (open(Role::kOrdered) != 0 || committer_ != 0) return kOrderedData;
  if (in_commit()) return kJournal;
  // Nothing that is known: it waits for what begins now. btrfs computes checksums of data elsewhere before it queues
  // them.
  if (step.kind == Step::Kind::kCommit) return kJournal;
  if (step.kind == Step::Kind::kQueue && step.role != Role::kOwn)
    return step.role == Role::kOthers ? kUnderWay : step.role == Role::kOrdered ? kOrderedData : kJournal;
  return woken_ ? kWakeUp : kUnknown;
}

void Walk::take(const Step &step) {
  uint64_t &open = open_[static_cast<size_t>(step.role)];
  if (step.hop.tid == committer_ && goes_on(step)) committer_ = 0;
  switch (step.kind) {
    case Step::Kind::kSleep:
      asleep_ = true;
      woken_ = false;
      for_data_ = this->open(Role::kOwn) != 0 || this->open(Role::kOthers) != 0;
      break;
    case Step::Kind::kRun:
      asleep_ = false;
      break;
    case Step::Kind::kQueue:
      open += step.bytes;
      for_data_ |= asleep_ && step.role == Role::kOthers && !in_commit();
      if (step.role == Role::kOwn) stage_ = kBlock;
      if (step.role == Role::kRecord) record_issued_ = false;
      flush_wanted_ |= step.role == Role::kRecord || step.role == Role::kFlush;
      break;
    case Step::Kind::kIssue:
      if (step.role == Role::kOwn) stage_ = kDevice;
      if (step.role == Role::kRecord) record_issued_ = true;
      break;
    case Step::Kind::kDone:
      open -= std::min(open, step.bytes);
      woken_ = true;
      break;
    case Step::Kind::kCommit:
      committing_ = true;
      break;
    case Step::Kind::kWait:
      committer_ = step.hop.tid;
      break;
    case Step::Kind::kCommitted:
      committing_ = false;
      woken_ = true;
      break;
    case Step::Kind::kFlush:
      ++flushing_;
      break;
    case Step::Kind::kFlushed:
      flushing_ -= std::min<uint64_t>(flushing_, 1);
      woken_ |= flush_wanted_;
      break;
    default:
      break;
  }
}

// How long the call was in each layer.
class Times {
 public:
  void add(std::string_view layer, uint64_t ns) { ns_[layer] += ns; }
  [[nodiscard]] uint64_t of(std::string_view layer) const {
    const auto it = ns_.find(layer);
    return it == ns_.end() ? 0 : it->second;
  }
  [[nodiscard]] uint64_t of(const Field &field) const {
    uint64_t ns = 0;
    for (const Layer &layer : kLayers) ns += layer.field == &field ? of(layer.name) : 0;
    return ns;
  }
  // Who waits for a commit waits for all that it writes.
  [[nodiscard]] bool waited_for(Role role) const {
    if (role == Role::kOthers) return of(kUnderWay) != 0;
    if (role == Role::kFlush) return of(kFlushing) != 0;
    return of(kOrderedData) != 0 || of(kJournal) != 0;
  }
  [[nodiscard]] bool concern(const Step &step) const {
    if (step.of_bio) return step.by_caller || waited_for(step.role);
    if (step.kind >= Step::Kind::kCommit && step.kind <= Step::Kind::kCommitted) return waited_for(Role::kJournal);
    return (step.kind != Step::Kind::kFlush && step.kind != Step::Kind::kFlushed) || waited_for(Role::kFlush);
  }

 private:
  std::map<std::string_view, uint64_t> ns_;
};

// Bytes by whose they were, in the order in which they came.
class Bytes {
 public:
  void add(const std::string &whose, uint64_t bytes) {
    const auto same = [&](const auto &part) { return part.first == whose; };
    const auto it = std::find_if(parts_.begin(), parts_.end(), same);
    it == parts_.end() ? parts_.emplace_back(whose, bytes).second : it->second += bytes;
    sum_ += bytes;
  }
  void tell(std::string &text, const std::string &before, const std::string &after) const {
    constexpr size_t kMostParts = 8;
    for (size_t i = 0; i < std::min(parts_.size(), kMostParts); ++i)
      text += (text.empty() ? "" : ", ") + scaled_bytes(parts_[i].second) + before + parts_[i].first + after;
    if (parts_.size() > kMostParts) text += " and " + std::to_string(parts_.size() - kMostParts) + " more";
  }
  [[nodiscard]] bool has(const std::string &whose) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const auto &part) { return part.first == whose; });
  }
  [[nodiscard]] uint64_t sum() const { return sum_; }

 private:
  std::vector<std::pair<std::string, uint64_t>> parts_;
  uint64_t sum_ = 0;
};

std::vector<NamedValue> fields_of(const std::vector<Step> &steps, const Times &times) {
  Bytes own, under_way, ordered, metadata, journal;
  std::vector<std::string> waited;
  uint64_t flushes = 0;
  for (const Step &step : steps) {
    if (step.kind == Step::Kind::kWait && times.concern(step)) waited.push_back(step.whose);
    if (step.kind != Step::Kind::kQueue || !times.concern(step)) continue;
    flushes += step.role >= Role::kRecord ? 1 : 0;
    if (step.role == Role::kFlush) continue;
    Bytes &bytes = step.role == Role::kOwn       ? own
                   : step.role == Role::kOthers  ? under_way
                   : step.role == Role::kOrdered ? ordered
                   : step.whose.empty()          ? metadata
                                                 : journal;
    bytes.add(step.whose, step.bytes);
  }
  std::string text;
  own.tell(text, " of its own", "");
  under_way.tell(text, " written by ", "");
  ordered.tell(text, " of ", "");
  for (size_t i = 0; i < waited.size(); ++i) {
    const auto before = waited.begin() + static_cast<ptrdiff_t>(i);
    if (std::find(waited.begin(), before, waited[i]) == before && !ordered.has(waited[i]))
      text += (text.empty() ? "data of " : ", data of ") + waited[i];
  }
  metadata.tell(text, " metadata", "");
  journal.tell(text, " journal by ", "");
  if (flushes != 0)
    text += (text.empty() ? "" : ", ") + std::to_string(flushes) + (flushes == 1 ? " flush" : " flushes");
  std::vector<NamedValue> fields = {{&kWaits, text.empty() ? "nothing to write" : text},
                                    {&kOwnBytes, own.sum()},
                                    {&kUnderWayBytes, under_way.sum()},
                                    {&kOrderedBytes, ordered.sum()},
                                    {&kJournalBytes, metadata.sum() + journal.sum()},
                                    {&kFlushes, flushes}};
  for (size_t i = fields.size(); i < std::size(kColumns); ++i) fields.push_back({kColumns[i], times.of(*kColumns[i])});
  return fields;
}

}  // namespace

const Procedure kFsyncProcedure = {.outcomes = kOutcomes, .layers = kDown, .attributed_layer = attributed_layer};
const std::span<const Field *const> kWaitColumns = kColumns;

void attribute_waits(std::vector<Step> &steps, Sample &sample, uint64_t left_ns) {
  // Of other CPUs a hop may be a little later than the return, or be told with a time before the beginning.
  if (left_ns != 0) std::erase_if(steps, [&](const Step &step) { return step.hop.ts_ns > left_ns; });
  for (Step &step : steps) step.hop.ts_ns = std::max(step.hop.ts_ns, sample.start_ns);
  std::stable_sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) { return a.hop.ts_ns < b.hop.ts_ns; });
  Walk walk;
  Times times;
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].hop.layer = walk.layer_before(steps[i]);
    if (i > 0) times.add(steps[i].hop.layer, steps[i].hop.ts_ns - steps[i - 1].hop.ts_ns);
    walk.take(steps[i]);
  }
  const std::vector<NamedValue> fields = fields_of(steps, times);
  sample.fields.insert(sample.fields.end(), fields.begin(), fields.end());
  for (Step &step : steps) {
    if (times.concern(step)) sample.hops.push_back(std::move(step.hop));
  }
}

}  // namespace strata
