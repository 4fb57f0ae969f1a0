// strata follow: one procedure in N, followed through every layer.
#include <cstdio>

#include "bpf/object.h"
#include "bpf/ring.h"
#include "cli/values.h"
#include "follow.skel.h"
#include "follow/chain.h"
#include "follow/follower.h"
#include "follow/root.h"
#include "follow/way.h"
#include "follow/wire.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "write", .help = "what to follow", .words = true}};

constexpr Option kOptions[] = {
    {.name = "sample",
     .value = "1/N",
     .kind = OptionKind::kOneIn,
     .help = "take one write in N, at random",
     .low = 1,
     .high = 1'000'000'000,
     .fallback = "1/1000"},
    {.name = "every",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "take the N-th, 2N-th, ... write instead, for tests",
     .low = 1,
     .high = 1'000'000'000},
    {.name = "limit",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "end after N samples",
     .low = 1,
     .high = 1'000'000'000},
    {.name = "min-latency",
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "show only samples whose system call took at least TIME"},
    {.name = "path",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "only this file, or files below this directory"},
    {.name = "via",
     .value = "auto|functions|tracepoints",
     .kind = OptionKind::kChoice,
     .help = "which hooks; auto takes functions where the host permits them",
     .fallback = "auto"},
};

constexpr std::string_view kLosses[] = {"no room for pages", "no room for bios", "too many sampled calls at once",
                                        "write larger than 64 MiB"};

void set_knobs(const Values &values, Object &object) {
  object.set_knob("every", static_cast<uint32_t>(values.number("every")));
  object.set_knob("period", static_cast<uint32_t>(values.number("sample")));
  object.set_knob("limit", values.number("limit"));
  if (values.given("path")) set_root(object, values.text("path"));
}

int report(Session &session, const std::vector<Loss> &losses, const Summary &summary) {
  session.report(losses);
  session.out().summary(summary);
  return session.finish();
}

int run(const Values &values, Session &session) {
  Skeleton<follow_bpf> skel;
  Object object(skel->skeleton, kFollowHooks);
  const Way way = choose_way(object, values.text("via"));
  set_knobs(values, object);
  session.attach(object);

  const uint64_t limit = values.number("limit"), slow_ns = values.duration_ns("min-latency");
  Chain chain(way.until_writeback(), [&](const Sample &sample) {
    if (sample.seen_ns >= slow_ns) session.out().sample(sample);
  });
  Ring ring(object.map_fd("events"));
  const auto take = [&](const void *record, size_t size) {
    session.out().record(wire_of(*static_cast<const follow_hop *>(record)), record);
    chain.take(record, size);
  };
  const auto drain = [&] {
    while (ring.consume(take) != 0) {
    }
    if (limit != 0 && chain.ended() >= limit) session.loop().stop();
  };
  session.loop().watch(ring.fd(), drain);
  session.loop().every(Ring::kFlushNs, drain);
  session.begin();
  session.out().record(kWayWire, &way.record);
  skel->bss->sampling = 1;
  session.run();
  skel->bss->sampling = 0;
  drain();

  const std::vector<Loss> losses = object.losses(kLosses);
  const follow_sampled sampled = {.sampled = skel->bss->n_sampled};
  session.out().record(kSampledWire, &sampled);
  chain.end(sampled.sampled, losses);
  return report(session, losses, summary_of(chain, way.record.text));
}

int replay(Recording &recording, Session &session) {
  session.begin(recording.clocks());
  const Replayed run = replay_follow(recording, [&](const Sample &sample) { session.out().sample(sample); });
  if (!run.whole) fprintf(stderr, "the recording was cut short: this is what is there\n");
  return report(session, run.losses, run.summary);
}

}  // namespace

extern const Tool tool_follow = {
    .name = "follow",
    .summary = "follow one write in N through every layer down to the device and back",
    .manual = "",
    .operands = kOperands,
    .options = kOptions,
    .formats = kSampleFormats,
    .run = run,
    .replay = replay,
};

}  // namespace strata
