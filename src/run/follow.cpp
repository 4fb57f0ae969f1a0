// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/follow.h"

#include <algorithm>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "bpf/object.h"
#include "bpf/ring.h"
#include "cli/values.h"
#include "follow/chain.h"
#include "follow/replayed.h"
#include "follow/windows.h"
#include "rec/names.h"
#include "rec/pointers.h"
#include "run/replay.h"
#include "run/resolver.h"
#include "run/sample_columns.h"
#include "run/session.h"
#include "run/shown_samples.h"
#include "run/task_groups.h"
#include "run/time_range.h"
#include "run/tool.h"

namespace strata {
namespace {

int report(Session &session, const std::vector<Loss> &losses, const Summary &summary, uint64_t submits,
           const Chain &chain) {
  session.report(losses);
  session.out().put(summary);
  if (summary.account.sampled == 0 && !chain.others.empty())
    say("strata follow: nothing was sampled: %s\n", std::string(chain.others).c_str());
  if (submits != 0)
    say("strata follow: %llu calls of io_submit or io_uring_enter: tracepoints do not show what they %s; "
        "functions do, where the host permits them (--via functions)\n",
        static_cast<unsigned long long>(submits), std::string(chain.name).c_str());
  return session.finish();
}

// Every record goes to the outputs, with numbers for its addresses, and into the tracker.
class Intake {
 public:
  Intake(const Chain &chain, Session &session, Object &object, ChainTracker &tracker, const SampleColumns &columns)
      : chain_(chain),
        session_(session),
        tracker_(tracker),
        columns_(columns),
        groups_(session, object),
        ring_(object.map_fd("events")) {}

  [[nodiscard]] int fd() const { return ring_.fd(); }

  size_t drain() {
    groups_.renew();  // in one reading, at most 100 ms, a process is in one group
    return ring_.consume([this](const void *raw, size_t size) {
      const RecordType &type = chain_.record_of(raw);
      const void *record = pointers_.numbered(type, raw, size);
      tracker_.name_first(record, [this](const RecordType &of, const void *name) { session_.out().record(of, name); });
      tracker_.of_group(columns_.look_up(groups_, session_, chain_.process_of(record)));
      session_.out().record(type, record);
      tracker_.on_record(record, size);
    });
  }

 private:
  const Chain &chain_;
  Session &session_;
  ChainTracker &tracker_;
  const SampleColumns &columns_;
  TaskGroups groups_;
  Ring ring_;
  Pointers pointers_;
};

// `limit` of the samples that are taken.
void watch(Session &session, Intake &intake, ChainTracker &tracker, Windows &windows, const ShownSamples &shown,
           uint64_t limit, const FollowState &state) {
  const auto drain = [&session, &intake, &shown] {
    intake.drain();
    if (shown.is_full()) session.loop().stop(EndReason::kLimit);
  };
  session.loop().watch(intake.fd(), drain);
  session.drain_by(drain);
  session.loop().every(Ring::kFlushNs, [&, drain, limit, was_idle = false]() mutable {
    drain();
    tracker.on_time(monotonic_ns());
    if (state.n_ended != nullptr) *state.n_ended = tracker.collector().ended();
    windows.tick(monotonic_ns(), tracker.calling(), tracker.idle());
    // Samples that were lost before they were reported never end: the rest of them have.
    const bool idle = limit != 0 && *state.n_sampled >= limit && tracker.idle();
    if (idle && was_idle) session.loop().stop(EndReason::kLimit);
    was_idle = idle;
  });
}

void set_sampling(const Values &values, Object &object, bool chooses) {
  object.set_constant("every", static_cast<uint32_t>(values.number("every")));
  // Whoever looks for the one bad call in a million must not leave it to chance.
  const bool each = any_given(values, {"min-total", "when"}) && !values.given("sample");
  object.set_constant("period", each ? 1 : static_cast<uint32_t>(values.number("sample")));
  object.set_constant("limit", chooses ? 0 : values.number("limit"));
}

// With it the chain would be another one.
void reject_udp(const Values &values, const Chain &chain) {
  if (!chain.name.ends_with("--udp")) reject_options(values, {"udp"}, "is for follow send and recv");
}

// A label costs what it is made of, so that it is made only where it is asked for.
void set_labels(const Values &values, Object &object, const Chain &chain) {
  if (chain.procedure.label == nullptr)
    return reject_options(values, {"client", "label", "text"}, "is for follow query");
  object.set_constant("labels", values.given("text") ? 2U : values.given("label") ? 1U : 0U);
}

void set_path(const Values &values, Object &object, const Chain &chain, follow_attach_mode &mode) {
  if (chain.set_path == nullptr)
    reject_options(values, {"path"}, "is for files: follow write, read and fsync, and for follow query");
  if (values.given("path")) chain.set_path(object, values.text("path"), mode);
}

// What --from and --to of a replay say: samples that began then.
void add_range(Thresholds &thresholds, const Session &session, const Recording &recording) {
  const Values &values = session.values();
  if (!any_given(values, {"from", "to"})) return;
  const TimeRange range(values, recording.head().clocks);
  for (const std::string option : {"from", "to"})
    if (values.given(option))
      thresholds.when += (thresholds.when.empty() ? "--" : " --") + option + " " + values.text(option);
  thresholds.holds = [range, when = thresholds.holds](const Sample &sample) {
    return range.has(sample.start_ns) && (!when || when(sample));
  };
}

// That may be in a recording.
std::vector<const RecordType *> records_of(const Chain &chain, const Session &session) {
  std::vector<const RecordType *> records(chain.records.begin(), chain.records.end());
  if (session.owned_process() != nullptr)
    records.insert(records.end(), kSampleOwnerRecords.begin(), kSampleOwnerRecords.end());
  return records;
}

}  // namespace

Thresholds thresholds_of(const Values &values) {
  const Thresholds thresholds = {.seen_ns = values.duration_ns("min-latency"),
                                 .total_ns = values.duration_ns("min-total")};
  if (values.given("min-total") && thresholds.seen_ns != 0 && thresholds.total_ns <= thresholds.seen_ns)
    throw usage_error("--min-total must be longer than --min-latency, which is about a part of it");
  return thresholds;
}

int run_follow(const Chain &chain, const Values &values, Session &session, const FollowState &state,
               void (*set_constants)(const Session &session, Object &object)) {
  const uint64_t window_ns = values.duration_ns("window"), every_ns = values.duration_ns("every-window");
  if (window_ns >= every_ns) throw usage_error("--window must be shorter than --every-window");
  if (values.given("every-window") && window_ns == 0) throw usage_error("--every-window needs --window");
  if (values.given("sample") && values.given("every")) throw usage_error("--sample and --every exclude each other");
  reject_udp(values, chain);
  Object object(state.skeleton, chain.hooks);
  Resolver names(session.out(), &object);
  SampleColumns columns(session, names);
  Thresholds thresholds = thresholds_of(values);
  add_when(thresholds, session, chain.procedure.layers, columns);
  follow_attach_mode mode = chain.choose_attach_mode(object, values.text("via"));
  const bool chooses = thresholds.any() || chain.chosen_late;
  set_sampling(values, object, chooses);
  set_labels(values, object, chain);
  if (set_constants != nullptr) set_constants(session, object);
  set_path(values, object, chain, mode);
  session.prepare(object);

  if (window_ns != 0) session.keep(kToAttach);
  Windows windows(object, chain.path_hooks, state.sampling, window_ns, every_ns);
  ShownSamples shown(session, columns, values.number("limit"));
  const auto show = [&](const Sample &sample) {
    shown.show(sample);
    session.held(thresholds.holds != nullptr);
  };
  const std::unique_ptr<ChainTracker> tracker = chain.track(mode, show, true, thresholds);
  Intake intake(chain, session, object, *tracker, columns);
  watch(session, intake, *tracker, windows, shown, chooses ? 0 : values.number("limit"), state);
  session.begin(records_of(chain, session));
  session.out().record(kAttachModeRecord, &mode);
  windows.open(monotonic_ns());
  session.run();
  windows.close();
  while (intake.drain() != 0) {
  }

  std::vector<Loss> losses = object.losses(chain.losses);
  const follow_sampled sampled = {.sampled = *state.n_sampled,
                                  .submits = state.n_submits != nullptr ? *state.n_submits : 0};
  // What a recorder has kept is a part of them.
  if (!values.given("last")) session.out().record(kSampledRecord, &sampled);
  object.detach_apart();
  tracker->end(sampled.sampled, losses);
  add_missed(*tracker, losses);
  return report(session, losses, summary_of(tracker->collector(), mode.text), sampled.submits, chain);
}

const Chain &chain_named(std::span<const Chain *const> chains, std::string_view name) {
  const auto found =
      std::find_if(chains.begin(), chains.end(), [&](const Chain *chain) { return chain->name == name; });
  return found == chains.end() ? *chains.front() : **found;
}

int replay_follow(std::span<const Chain *const> chains, Recording &recording, Session &session) {
  session.begin(recording.head());
  const Chain &chain = chain_named(chains, session.followed()->name);
  Resolver names;
  SampleColumns columns(session, names);
  const bool own = any_given(session.values(), {"min-latency", "min-total"});
  Thresholds thresholds = thresholds_of(own ? session.values() : session.values_with("min-total"));
  add_when(thresholds, session, chain.procedure.layers, columns);
  add_range(thresholds, session, recording);
  ShownSamples shown(session, columns, session.limit());
  const auto show = [&shown](const Sample &sample) { shown.show(sample); };
  const auto learn = [&names](const Record &record) { return record.type == &kCgroupRecord && names.learn(record); };
  const Replayed run = replay_chain(chain, recording, show, thresholds, {kSampleOwnerRecords, learn});
  end_replay(recording, session);
  if (run.summary.account.sampled != 0 && session.owned_process() != nullptr &&
      !recording.head().declares(kTaskGroupRecord))
    say_no_owners(session);
  return report(session, run.losses, run.summary, run.submits, chain);
}

}  // namespace strata
