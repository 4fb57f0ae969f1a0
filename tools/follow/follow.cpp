// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow: one procedure in N, followed through every layer.
#include "run/follow.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "follow.manual.h"
#include "follow.skel.h"
#include "follow/datagram/chain.h"
#include "follow/fsync/chain.h"
#include "follow/fsync/waits.h"
#include "follow/query/chain.h"
#include "follow/read/chain.h"
#include "follow/read/sources.h"
#include "follow/recv/chain.h"
#include "follow/send/chain.h"
#include "follow/write/attach_mode.h"
#include "follow/write/chain.h"
#include "follow/write/hops.h"
#include "follow_datagram.skel.h"
#include "follow_query.skel.h"
#include "follow_send.skel.h"
#include "render/sink.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/server_ports.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "write|read|fsync|send|recv|query", .help = "what to follow", .words = true}};

constexpr Option kOwnOptions[] = {
    {.name = "path",
     .value = "PATH",
     .kind = OptionKind::kText,
     .help = "of files: this or below; of query: its socket"},
    {.name = "udp", .help = "of send and recv: datagrams, instead of TCP"},
};
constexpr auto kOptions = joined(kFollowOptions, kOwnOptions, kServerOptions, kLabelOptions, kThresholdOptions);

constexpr const Chain *kChains[] = {&kWriteChain,   &kReadChain,    &kFsyncChain, &kSendChain,
                                    &kUdpSendChain, &kUdpRecvChain, &kRecvChain,  &kQueryChain};

template <typename Programs>
int run_with(const Chain &chain, const Values &values, Session &session, void (*set)(const Session &, Object &)) {
  Skeleton<Programs> skel;
  FollowState state = {skel->skeleton, &skel->bss->sampling, &skel->bss->n_sampled};
  if constexpr (requires { skel->bss->n_submits; }) state.n_submits = &skel->bss->n_submits;
  if constexpr (requires { skel->bss->n_ended; }) state.n_ended = &skel->bss->n_ended;
  return run_follow(chain, values, session, state, set);
}

int run(const Values &values, Session &session) {
  const Chain &chain = chain_named(kChains, session.followed()->name);
  if (&chain == &kQueryChain) return run_with<follow_query_bpf>(chain, values, session, choose_server);
  if (&chain == &kRecvChain) return run_with<follow_send_bpf>(chain, values, session, choose_ports);
  if (&chain == &kUdpRecvChain) return run_with<follow_datagram_bpf>(chain, values, session, choose_ports);
  if (&chain == &kSendChain) return run_with<follow_send_bpf>(chain, values, session, reject_ports);
  if (&chain == &kUdpSendChain) return run_with<follow_datagram_bpf>(chain, values, session, reject_ports);
  return run_with<follow_bpf>(chain, values, session, reject_ports);
}

// A chain may be made after this table, so that it says nothing to it yet.
template <const Chain &chain, typename Programs>
Followed followed(std::string_view name, std::span<const Hook> hooks, std::span<const Field *const> sample,
                  std::span<const Field *const> hop, std::span<const Field *const> more = {}) {
  return {
      name, sample, hop, more, {Programs::elf_bytes, hooks, [](Object &o) { chain.choose_attach_mode(o, "auto"); }}};
}

const Followed kFollowed[] = {
    followed<kWriteChain, follow_bpf>("write", kWriteHooks, kSampleColumns, kHopColumns),
    followed<kReadChain, follow_bpf>("read", kReadHooks, kSampleColumns, kHopColumns, kSourceColumns),
    followed<kFsyncChain, follow_bpf>("fsync", kFsyncHooks, kSyncColumns, kHopColumns, kWaitColumns),
    followed<kUdpSendChain, follow_datagram_bpf>("send --udp", kUdpHooks, kUdpSendColumns, kUdpHopColumns),
    followed<kUdpRecvChain, follow_datagram_bpf>("recv --udp", kUdpHooks, kUdpRecvColumns, kUdpHopColumns),
    followed<kSendChain, follow_send_bpf>("send", kSendHooks, kSendSampleColumns, kSendHopColumns),
    followed<kRecvChain, follow_send_bpf>("recv", kRecvHooks, kRecvSampleColumns, kSegmentHopColumns),
    followed<kQueryChain, follow_query_bpf>("query", kQueryHooks, kQuerySampleColumns, kQueryHopColumns),
};

}  // namespace

extern const Tool tool_follow = {
    .name = "follow",
    .subsystem = Subsystem::kFiles,
    .summary = "follow one write, read, fsync, send, recv or query in N",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kTracing | kHasBuffer | kHasColumns | kHasWhen | kHasLimit | kHasRecorder,
    .ring_bytes = 2 << 20,  // an fsync ends all samples of a file at once: of 1,040 the usual size lost 404 records
    .formats = kSampleFormats,
    .followed = kFollowed,
    .run = run,
    .replay = [](Recording &recording, Session &session) { return replay_follow(kChains, recording, session); },
};

}  // namespace strata
