// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_run.h"

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "bpf/ring.h"
#include "bpf/variant.h"
#include "cli/values.h"
#include "run/run.h"
#include "run/session.h"
#include "subsys/script.h"
#include "subsys/script_profile.h"
#include "subsys/script_records.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr std::string_view kOwnLosses[] = {"key found no room in a map",
                                           "loop ended after 8,388,608 turns, as the kernel wants it",
                                           "probe skipped: its memory was in use on this processor"};
constexpr std::string_view kBelowZero = "stack whose value is below 0, of which folded, flame and pprof have none";
constexpr size_t kLeastRecord = 16;  // with the kernel's head

constexpr auto kLosses = joined(kStackLosses, kOwnLosses);

bool notifies() { return getenv("__BPFTRACE_NOTIFY_PROBES_ATTACHED") != nullptr; }

bool ends_at_once(const Script &script, const Session &session) {
  return script.waits_for_nothing() && session.command_pid() == 0 && !session.values().given("duration");
}

bool notifies_now(const Script &script, Session &session) {
  return notifies() && (ends_at_once(script, session) || !session.loop().ending().begun());
}

}  // namespace

int run_script(const ScriptRun &run, Session &session, Object &object) {
  const Values &values = session.values();
  const uint64_t ring_bytes = values.given("buffer") ? values.number("buffer") : usual_ring_bytes(kScriptRingBytes);
  Script script(session, object, run, ring_bytes);
  const bool of_stacks = session.out().wants_stacks();
  if (of_stacks) {
    require_stacks(script.plan());
    reject_options(values, {"sort", "rows"}, "is for maps as text and json; folded, flame and pprof have all stacks");
  }
  session.keep(kToAttach | kToReadSymbols);
  session.prepare(object);
  if (run.listing) say_text(script.listing());
  script.load();
  if (run.dry) return 0;
  Ring ring(object.map_fd("events"));
  ScriptRecords records(session, script, run);
  const auto drain = [&] {
    return ring.consume([&](const void *record, size_t size) { records.on_record(record, size); });
  };
  session.loop().watch(ring.fd(), drain);
  session.loop().every(Ring::kFlushNs, drain);
  object.attach();
  session.begin();
  const uint64_t from_ns = monotonic_ns();
  script.begin();
  if (!notifies()) drain();  // else behind that word, as bpftrace's callers expect it
  records.attached();
  script.attach();
  session.when_attached([&] {
    records.show_attached(script.places_attached(), notifies_now(script, session));
    drain();
  });
  script.run_in_loop();
  const auto losses = [&] { return object.losses(kLosses); };
  if (!run.quiet && records.shows_nothing_yet()) session.show_progress(losses, records.counting());
  script.run_iterators(drain);
  if (ends_at_once(script, session)) session.loop().stop(EndReason::kDone);
  session.run();
  script.detach();
  // What it can hold, and no more: where there are many places, some are traced for a while yet.
  const auto drain_all = [&] {
    size_t most = ring_bytes / kLeastRecord;
    for (size_t n = drain(); n > 0 && n < most; n = drain()) most -= n;
  };
  drain_all();
  records.go_on();
  script.end();
  drain_all();
  if (script.plan().settings.shows_maps) records.show_maps();
  std::vector<Loss> lost = losses();
  if (of_stacks) {
    const ScriptProfile profile = profile_of(script.plan(), script.maps(), from_ns);
    session.out().put_stacks(profile.table);
    lost.push_back({.reason = std::string(kBelowZero), .count = profile.below_zero});
  }
  lost.push_back({.reason = std::string(kSkipped), .count = script.skipped()});
  session.report(std::move(lost));
  const int status = session.finish();
  return status == 0 ? records.status() : status;
}

}  // namespace strata
