#include "run/follow.h"

#include "base/clock.h"
#include "base/error.h"
#include "bpf/object.h"
#include "bpf/ring.h"
#include "cli/values.h"
#include "follow/read/tracker.h"
#include "follow/windows.h"
#include "follow/write/attach_mode.h"
#include "follow/write/follower.h"
#include "follow/write/tracker.h"
#include "follow/write/wire.h"
#include "rec/pointers.h"
#include "run/replay.h"
#include "run/session.h"

namespace strata {
namespace {

int report(Session &session, const std::vector<Loss> &losses, const Summary &summary, uint64_t submits, bool reading) {
  session.report(losses);
  session.out().put(summary);
  if (submits != 0)
    say("strata follow: %llu calls of io_submit or io_uring_enter: tracepoints do not show what they %s; "
        "functions do, where the host permits them (--via functions)\n",
        static_cast<unsigned long long>(submits), reading ? "read" : "write");
  return session.finish();
}

// Every record goes to the outputs, with numbers for its addresses, and into the tracker.
class Intake {
 public:
  Intake(Session &session, Object &object, Chain &chain)
      : session_(session), chain_(chain), disks_(chain.disks()), ring_(object.map_fd("events")) {}

  [[nodiscard]] int fd() const { return ring_.fd(); }

  size_t drain() {
    return ring_.consume([this](const void *raw, size_t size) {
      const auto &type = record_of(*static_cast<const follow_hop *>(raw));
      const void *record = pointers_.numbered(type, raw, size);
      const auto &hop = *static_cast<const follow_hop *>(record);
      if (disk_name disk; disks_.next(hop, disk)) session_.out().record(kDiskRecord, &disk);
      session_.out().record(type, record);
      chain_.on_record(record, size);
    });
  }

 private:
  Session &session_;
  Chain &chain_;
  DiskNames disks_;
  Ring ring_;
  Pointers pointers_;
};

// What is shown of the samples that ended: `limit` of them, 0 for all.
class Shown {
 public:
  Shown(Session &session, uint64_t limit) : session_(session), limit_(limit) {}

  void show(const Sample &sample) {
    if (is_full()) return;
    session_.out().put(sample);
    ++shown_;
  }
  [[nodiscard]] bool is_full() const { return limit_ != 0 && shown_ == limit_; }

 private:
  Session &session_;
  const uint64_t limit_;
  uint64_t shown_ = 0;
};

// `limit` of the samples that are taken.
void watch(Session &session, Intake &intake, Chain &chain, Windows &windows, const Shown &shown, uint64_t limit,
           const volatile unsigned long long &n_sampled) {
  const auto drain = [&session, &intake, &shown] {
    intake.drain();
    if (shown.is_full()) session.loop().stop("limit");
  };
  session.loop().watch(intake.fd(), drain);
  session.loop().every(Ring::kFlushNs, [&, drain, limit, was_idle = false]() mutable {
    drain();
    windows.tick(monotonic_ns(), chain.calling(), chain.idle());
    // Samples that were lost before they were reported never end: the rest of them have.
    const bool idle = limit != 0 && n_sampled >= limit && chain.idle();
    if (idle && was_idle) session.loop().stop("limit");
    was_idle = idle;
  });
}

}  // namespace

Thresholds thresholds_of(const Values &values) {
  const Thresholds thresholds = {.seen_ns = values.duration_ns("min-latency"),
                                 .total_ns = values.duration_ns("min-total")};
  if (values.given("min-total") && thresholds.seen_ns != 0 && thresholds.total_ns <= thresholds.seen_ns)
    throw usage_error("--min-total must be longer than --min-latency: the system call is part of a sample's total");
  return thresholds;
}

uint64_t most_taken(const Values &values) { return thresholds_of(values).any() ? 0 : values.number("limit"); }

int run_follow(const Values &values, Session &session, const FollowState &state,
               void (*set_constants)(const Values &values, Object &object)) {
  const uint64_t window_ns = values.duration_ns("window"), every_ns = values.duration_ns("every-window");
  if (window_ns >= every_ns) throw usage_error("--window must be shorter than --every-window");
  if (values.given("every-window") && window_ns == 0) throw usage_error("--every-window needs --window");
  if (values.given("sample") && values.given("every")) throw usage_error("--sample and --every exclude each other");
  const Thresholds thresholds = thresholds_of(values);
  const bool reading = values.operand(0) == "read";
  Object object(state.skeleton, reading ? kReadHooks : kFollowHooks);
  const AttachMode mode = choose_attach_mode(object, values.text("via"), reading);
  set_constants(values, object);
  session.prepare(object);

  if (window_ns != 0) session.keep(kToAttach);
  Windows windows(object, path_hooks(reading), state.sampling, window_ns, every_ns);
  Shown shown(session, values.number("limit"));
  const auto chain = chain_of(
      mode.record, [&shown](const Sample &sample) { shown.show(sample); }, Disks(), thresholds);
  Intake intake(session, object, *chain);
  watch(session, intake, *chain, windows, shown, most_taken(values), *state.n_sampled);
  session.begin(kFollowRecords);
  session.out().record(kAttachModeRecord, &mode.record);
  windows.open(monotonic_ns());
  session.run();
  windows.close();
  while (intake.drain() != 0) {
  }

  std::vector<Loss> losses = object.losses(kFollowLosses);
  const follow_sampled sampled = {.sampled = *state.n_sampled, .submits = *state.n_submits};
  session.out().record(kSampledRecord, &sampled);
  object.detach_apart();
  chain->end(sampled.sampled, losses);
  add_missed(*chain, losses);
  return report(session, losses, summary_of(*chain, mode.record.text), sampled.submits, reading);
}

int replay_follow(Recording &recording, Session &session) {
  session.begin(recording.head());
  const bool own = any_given(session.values(), {"min-latency", "min-total"});
  const Thresholds thresholds = thresholds_of(own ? session.values() : session.values_with("min-total"));
  Shown shown(session, session.values_with("limit").number("limit"));
  const Replayed run = replay_chain(
      recording, [&shown](const Sample &sample) { shown.show(sample); }, thresholds);
  end_replay(recording, session);
  return report(session, run.losses, run.summary, run.submits, run.reading);
}

}  // namespace strata
