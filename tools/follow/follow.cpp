// strata follow: one procedure in N, followed through every layer.
#include "run/follow.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "follow.manual.h"
#include "follow.skel.h"
#include "follow/root.h"
#include "follow/way.h"
#include "render/sink.h"
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
     .help = "show only samples whose system call took at least TIME (5us, 10ms, 2s)"},
    {.name = "path",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "only this file, or files at most 32 levels below this directory"},
    {.name = "window",
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "take samples only for TIME out of every --every-window",
     .low = 1'000'000'000},
    {.name = "every-window",
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "from the beginning of a window to that of the next",
     .low = 2'000'000'000,
     .fallback = "10s"},
    {.name = "via",
     .value = "auto|functions|tracepoints",
     .kind = OptionKind::kChoice,
     .help = "which hooks; auto takes functions where the host permits them",
     .fallback = "auto"},
};

void set_knobs(const Values &values, Object &object) {
  object.set_knob("every", static_cast<uint32_t>(values.number("every")));
  object.set_knob("period", static_cast<uint32_t>(values.number("sample")));
  object.set_knob("limit", values.number("limit"));
  if (values.given("path")) set_root(object, values.text("path"));
}

void prepare(Object &object) { choose_way(object, "auto"); }
const Blueprint kLoads[] = {{.elf = follow_bpf::elf_bytes, .hooks = kFollowHooks, .prepare = prepare}};

int run(const Values &values, Session &session) {
  Skeleton<follow_bpf> skel;
  const FollowState state = {
      .skeleton = skel->skeleton, .sampling = &skel->bss->sampling, .n_sampled = &skel->bss->n_sampled};
  return run_follow(values, session, state, set_knobs);
}

}  // namespace

extern const Tool tool_follow = {
    .name = "follow",
    .summary = "follow one write in N through every layer down to the device and back",
    .manual = kFollowManual,
    .details = kFollowDetails,
    .operands = kOperands,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer,
    .ring_bytes = 2 << 20,  // a sample is a dozen records, and a burst of samples ends at once
    .formats = kSampleFormats,
    .loads = kLoads,
    .run = run,
    .replay = replay_follow,
};

}  // namespace strata
