// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow: one procedure in N, followed through every layer.
#include "run/follow.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "follow.manual.h"
#include "follow.skel.h"
#include "follow/fsync/chain.h"
#include "follow/fsync/waits.h"
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

constexpr Operand kOperands[] = {{.name = "write|read|fsync|send", .help = "what to follow", .words = true}};

constexpr Option kPathOption[] = {
    {.name = "path",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "not of send: only this file, or files at most 32 levels below this directory"},
};
constexpr auto kOptions = joined(kFollowOptions, kPathOption, kThresholdOptions);

void set_path(const Values &values, Object &object) {
  if (values.given("path")) set_root(object, values.text("path"));
}

constexpr const Chain *kChains[] = {&kWriteChain, &kReadChain, &kFsyncChain, &kSendChain};

int run_send(const Values &values, Session &session) {
  reject_options(values, {"path"}, "is for files: follow write, read and fsync");
  Skeleton<follow_send_bpf> skel;
  const FollowState state = {.skeleton = skel->skeleton,
                             .sampling = &skel->bss->sampling,
                             .n_sampled = &skel->bss->n_sampled,
                             .n_ended = &skel->bss->n_ended};
  return run_follow(kSendChain, values, session, state, nullptr);
}

int run(const Values &values, Session &session) {
  if (values.operand(0) == kSendChain.name) return run_send(values, session);
  Skeleton<follow_bpf> skel;
  const FollowState state = {.skeleton = skel->skeleton,
                             .sampling = &skel->bss->sampling,
                             .n_sampled = &skel->bss->n_sampled,
                             .n_submits = &skel->bss->n_submits};
  return run_follow(chain_named(kChains, values.operand(0)), values, session, state, set_path);
}

template <const Chain &chain>  // for doctor
void prepare(Object &object) {
  chain.choose_attach_mode(object, "auto");
}

// Of the programs that they share.
Followed of_files(std::string_view name, std::span<const Hook> hooks, void (*prepare)(Object &),
                  std::span<const Field *const> sample, std::span<const Field *const> more = {}) {
  const Programs programs = {.elf = follow_bpf::elf_bytes, .hooks = hooks, .prepare = prepare};
  return {.name = name, .sample = sample, .hop = kHopColumns, .sample_more = more, .programs = programs};
}

const Followed kFollowed[] = {
    of_files("write", kWriteHooks, prepare<kWriteChain>, kSampleColumns),
    of_files("read", kReadHooks, prepare<kReadChain>, kSampleColumns, kSourceColumns),
    of_files("fsync", kFsyncHooks, prepare<kFsyncChain>, kSyncColumns, kWaitColumns),
    {.name = "send",
     .sample = kSendSampleColumns,
     .hop = kSendHopColumns,
     .programs = {.elf = follow_send_bpf::elf_bytes, .hooks = kSendHooks, .prepare = prepare<kSendChain>}},
};

}  // namespace

extern const Tool tool_follow = {
    .name = "follow",
    .subsystem = Subsystem::kFiles,
    .summary = "follow one write, read, fsync or send in N through every layer",
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
