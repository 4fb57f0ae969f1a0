// strata follow: one procedure in N, followed through every layer.
#include "run/follow.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "follow.manual.h"
#include "follow.skel.h"
#include "follow/read/chain.h"
#include "follow/read/sources.h"
#include "follow/write/attach_mode.h"
#include "follow/write/chain.h"
#include "follow/write/hops.h"
#include "follow/write/root.h"
#include "render/sink.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "write|read", .help = "what to follow", .words = true}};

constexpr Option kOwnOptions[] = {
    {.name = "sample",
     .value = "1/N",
     .kind = OptionKind::kOneIn,
     .help = "take one call in N, at random",
     .low = 1,
     .high = 1'000'000'000,
     .default_value = "1/1000"},
    {.name = "every",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "take the N-th, 2N-th, ... call instead, for tests",
     .low = 1,
     .high = 1'000'000'000},
    {.name = "path",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "only this file, or files at most 32 levels below this directory"},
    {.name = "window",
     .value = "SECONDS",
     .kind = OptionKind::kDuration,
     .help = "take samples only for so long out of every --every-window",
     .low = 1'000'000'000},
    {.name = "every-window",
     .value = "SECONDS",
     .kind = OptionKind::kDuration,
     .help = "from the beginning of a window to that of the next",
     .low = 2'000'000'000,
     .default_value = "10s"},
    choice_option({.name = "via",
                   .value = "auto|functions|tracepoints",
                   .help = "which hooks; auto takes functions where the host permits them",
                   .default_value = "auto"}),
};
constexpr auto kOptions = joined(kOwnOptions, kThresholdOptions);

void set_constants(const Values &values, Object &object) {
  object.set_constant("every", static_cast<uint32_t>(values.number("every")));
  // Whoever looks for the one bad write in a million must not leave it to chance.
  const bool each = values.given("min-total") && !values.given("sample");
  object.set_constant("period", each ? 1 : static_cast<uint32_t>(values.number("sample")));
  object.set_constant("limit", most_taken(values));
  if (values.given("path")) set_root(object, values.text("path"));
}

constexpr const Chain *kChains[] = {&kWriteChain, &kReadChain};

void prepare(Object &object) { kWriteChain.choose_attach_mode(object, "auto"); }

int run(const Values &values, Session &session) {
  Skeleton<follow_bpf> skel;
  const FollowState state = {.skeleton = skel->skeleton,
                             .sampling = &skel->bss->sampling,
                             .n_sampled = &skel->bss->n_sampled,
                             .n_submits = &skel->bss->n_submits};
  const Chain &chain = values.operand(0) == kReadChain.name ? kReadChain : kWriteChain;
  return run_follow(chain, values, session, state, set_constants);
}

}  // namespace

extern const Tool tool_follow = {
    .name = "follow",
    .subsystem = Subsystem::kFiles,
    .summary = "follow one write or read in N through every layer, down to the device",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kTracing | kHasBuffer | kHasLimit,
    .ring_bytes = 2 << 20,  // an fsync ends all samples of a file at once: of 1,040 the usual size lost 404 records
    .formats = kSampleFormats,
    .sample = kSampleColumns,
    .hop = kHopColumns,
    .sample_more = kSourceColumns,
    .programs = {.elf = follow_bpf::elf_bytes, .hooks = kWriteHooks, .prepare = prepare},
    .run = run,
    .replay = [](Recording &recording, Session &session) { return replay_follow(kChains, recording, session); },
};

}  // namespace strata
