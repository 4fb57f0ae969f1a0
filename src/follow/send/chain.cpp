// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/send/chain.h"

#include "base/error.h"
#include "bpf/object.h"
#include "btf/drop_reasons.h"
#include "follow/send/calls.h"
#include "follow/send/tracker.h"
#include "follow/send/wire.h"
#include "rec/names.h"

namespace strata {
namespace {

constexpr std::string_view kNoStamp = "this hop";

constexpr Hook kHooks[] = {
    {.name = "sys_enter", .skipped = kSendSkipped},
    {.name = "sys_exit"},
    {.name = "send_enter", .required = false, .skipped = kSendSkipped},
    {.name = "send_leave", .required = false},
    {.name = "net_dev_queue", .required = false, .lost_without = kNoStamp},
    {.name = "net_dev_start_xmit", .required = false, .lost_without = kNoStamp},
    {.name = "netif_receive_skb", .required = false, .lost_without = kNoStamp},
    {.name = "kfree_skb", .required = false, .lost_without = "drops"},
    {.name = "tcp_retransmit_skb", .required = false, .lost_without = "retransmits"},
    {.name = "tcp_probe"},
    {.name = "tcp_rcv_state_process", .required = false},
    {.name = "tcp_rcv_space_adjust"},
    {.name = "tcp_receive_reset", .required = false, .lost_without = "who reset a connection"},
    {.name = "tcp_send_reset", .required = false, .lost_without = "who reset a connection"},
    {.name = "inet_sock_set_state"},
    {.name = "tcp_destroy_sock"},
};
// Not sys_exit: a call that was sampled must be seen to end.
constexpr std::string_view kPath[] = {"sys_enter", "send_enter", "send_leave"};

constexpr const RecordType *kRecords[] = {&kSendHopRecord, &kSendStartRecord, &kAttachModeRecord, &kDropReasonRecord,
                                          &kSampledRecord};

const RecordType &record_type_of(const void *record) { return record_of(*static_cast<const send_hop *>(record)); }

uint32_t process_of(const void *record) {
  const auto &hop = *static_cast<const send_hop *>(record);
  return hop.kind == SEND_ENTER ? hop.tgid : 0;
}

follow_attach_mode choose_mode(Object &object, std::string_view via) {
  object.set_constant("has_reason", has_drop_reasons());
  object.enable({"sched_waking", "sched_switch"}, false);  // of recv
  const bool functions =
      via != "tracepoints" && object.variant("send_enter") != nullptr && object.variant("send_leave") != nullptr;
  if (!functions && via == "functions") throw Error("cannot follow by functions: " + host().missing(Need::kFentry));
  object.enable({"sys_enter", "sys_exit"}, !functions);
  object.enable({"send_enter", "send_leave", "tcp_rcv_state_process"}, functions);
  if (functions) return attach_mode_of("functions: from tcp_sendmsg_locked to the acknowledgement and the read", false);
  set_send_calls(object, false);
  return attach_mode_of("tracepoints: from the system call to the acknowledgement and the read", false);
}

std::unique_ptr<ChainTracker> track(const follow_attach_mode &, Collector::Done done, bool here,
                                    const Thresholds &thresholds) {
  return std::make_unique<SendTracker>(std::move(done), here, thresholds);
}

}  // namespace

const std::span<const Hook> kSendHooks = kHooks;

const Chain kSendChain = {
    .name = "send",
    .procedure = kSendProcedure,
    .hooks = kHooks,
    .path_hooks = kPath,
    .records = kRecords,
    .record_of = record_type_of,
    .process_of = process_of,
    .losses = kSendLosses,
    .others = "TCP alone is followed, and datagrams with --udp",
    .choose_attach_mode = choose_mode,
    .track = track,
};

}  // namespace strata
