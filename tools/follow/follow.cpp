// strata follow: one procedure in N, followed through every layer.
#include "run/follow.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "follow.manual.h"
#include "follow.skel.h"
#include "follow/read/chain.h"
#include "follow/read/sources.h"
#include "follow/send/chain.h"
#include "follow/send/hops.h"
#include "follow/write/attach_mode.h"
#include "follow/write/chain.h"
#include "follow/write/hops.h"
#include "follow/write/root.h"
#include "follow_send.skel.h"
#include "render/sink.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "write|read|send", .help = "what to follow", .words = true}};

constexpr Option kPathOption[] = {
    {.name = "path",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "of write and read: only this file, or files at most 32 levels below this directory"},
};
constexpr auto kOptions = joined(kFollowOptions, kPathOption, kThresholdOptions);

void set_path(const Values &values, Object &object) {
  if (values.given("path")) set_root(object, values.text("path"));
}

constexpr const Chain *kChains[] = {&kWriteChain, &kReadChain, &kSendChain};

int run_file(const Values &values, Session &session) {
  Skeleton<follow_bpf> skel;
  const FollowState state = {.skeleton = skel->skeleton,
                             .sampling = &skel->bss->sampling,
                             .n_sampled = &skel->bss->n_sampled,
                             .n_submits = &skel->bss->n_submits};
  return run_follow(values.operand(0) == kReadChain.name ? kReadChain : kWriteChain, values, session, state, set_path);
}

int run_send(const Values &values, Session &session) {
  reject_options(values, {"path"}, "is for follow write and follow read");
  Skeleton<follow_send_bpf> skel;
  const FollowState state = {.skeleton = skel->skeleton,
                             .sampling = &skel->bss->sampling,
                             .n_sampled = &skel->bss->n_sampled,
                             .n_ended = &skel->bss->n_ended};
  return run_follow(kSendChain, values, session, state, nullptr);
}

int run(const Values &values, Session &session) {
  return values.operand(0) == kSendChain.name ? run_send(values, session) : run_file(values, session);
}

template <const Chain &chain>  // for doctor
void prepare(Object &object) {
  chain.choose_attach_mode(object, "auto");
}

const Followed kFollowed[] = {
    {.name = "write",
     .sample = kSampleColumns,
     .hop = kHopColumns,
     .programs = {.elf = follow_bpf::elf_bytes, .hooks = kWriteHooks, .prepare = prepare<kWriteChain>}},
    {.name = "read",
     .sample = kSampleColumns,
     .hop = kHopColumns,
     .sample_more = kSourceColumns,
     .programs = {.elf = follow_bpf::elf_bytes, .hooks = kReadHooks, .prepare = prepare<kReadChain>}},
    {.name = "send",
     .sample = kSendSampleColumns,
     .hop = kSendHopColumns,
     .programs = {.elf = follow_send_bpf::elf_bytes, .hooks = kSendHooks, .prepare = prepare<kSendChain>}},
};

}  // namespace

extern const Tool tool_follow = {
    .name = "follow",
    .subsystem = Subsystem::kFiles,
    .summary = "follow one write, read or send in N through every layer",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kTracing | kHasBuffer | kHasWhen | kHasLimit | kHasRecorder,
    .ring_bytes = 2 << 20,  // an fsync ends all samples of a file at once: of 1,040 the usual size lost 404 records
    .formats = kSampleFormats,
    .followed = kFollowed,
    .run = run,
    .replay = [](Recording &recording, Session &session) { return replay_follow(kChains, recording, session); },
};

}  // namespace strata
