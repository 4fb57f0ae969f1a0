// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/recv/chain.h"

#include "base/error.h"
#include "bpf/object.h"
#include "btf/drop_reasons.h"
#include "follow/recv/tracker.h"
#include "follow/recv/wire.h"
#include "follow/send/wire.h"
#include "rec/names.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {
    {.name = "netif_receive_skb", .skipped = kRecvSkipped},
    {.name = "kfree_skb", .required = false, .lost_without = "drops"},
    {.name = "tcp_probe"},
    {.name = "tcp_rcv_space_adjust"},
    {.name = "tcp_receive_reset", .required = false, .lost_without = "who reset a connection"},
    {.name = "tcp_send_reset", .required = false, .lost_without = "who reset a connection"},
    {.name = "tcp_destroy_sock"},
    {.name = "sched_waking"},
    {.name = "sched_switch"},
};

// The programs are those of send, of which these are not needed.
constexpr std::string_view kOfSends[] = {
    "sys_enter",          "sys_exit",           "send_enter",         "send_leave",
    "net_dev_queue",      "net_dev_start_xmit", "tcp_retransmit_skb", "tcp_rcv_state_process",
    "inet_sock_set_state"};

constexpr const RecordType *kRecords[] = {&kRecvHopRecord,    &kRecvStartRecord,  &kSendHopRecord,
                                          &kAttachModeRecord, &kDropReasonRecord, &kSampledRecord};

const RecordType &record_type_of(const void *record) { return recv_record_of(*static_cast<const send_hop *>(record)); }

uint32_t process_of(const void *record) {
  const auto &hop = *static_cast<const send_hop *>(record);
  return hop.kind == RECV_READ ? hop.tgid : 0;
}

follow_attach_mode choose_mode(Object &object, std::string_view via) {
  if (via == "functions") throw Error("cannot follow recv by functions: it needs none, and is followed by tracepoints");
  object.enable(kOfSends, false);
  object.set_constant("receiving", true);
  object.set_constant("has_reason", has_drop_reasons());
  return attach_mode_of("tracepoints: from the device that received a segment to the read", false);
}

std::unique_ptr<ChainTracker> track(const follow_attach_mode &, Collector::Done done, bool here,
                                    const Thresholds &thresholds) {
  return std::make_unique<RecvTracker>(std::move(done), here, thresholds);
}

}  // namespace

const std::span<const Hook> kRecvHooks = kHooks;

const Chain kRecvChain = {
    .name = "recv",
    .procedure = kRecvProcedure,
    .hooks = kHooks,
    .path_hooks = {},
    .records = kRecords,
    .record_of = record_type_of,
    .process_of = process_of,
    .losses = kRecvLosses,
    .others = "TCP alone is followed, and datagrams with --udp",
    .chosen_late = true,
    .choose_attach_mode = choose_mode,
    .track = track,
};

}  // namespace strata
