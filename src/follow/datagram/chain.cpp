// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/datagram/chain.h"

#include <linux/btf.h>

#include <string>

#include "base/error.h"
#include "bpf/object.h"
#include "btf/drop_reasons.h"
#include "btf/kernel_types.h"
#include "follow/datagram/hops.h"
#include "follow/datagram/tracker.h"
#include "follow/recv/wire.h"
#include "follow/send/calls.h"
#include "follow/send/wire.h"
#include "rec/names.h"

namespace strata {
namespace {

constexpr std::string_view kNoStamp = "this hop";

constexpr Hook kHooks[] = {
    {.name = "sys_enter", .skipped = kDatagramSkipped},
    {.name = "sys_exit"},
    {.name = "udp_sendmsg", .skipped = kDatagramSkipped},
    {.name = "udp_sent"},
    {.name = "udpv6_sendmsg", .required = false, .lost_without = "sends of IPv6 sockets"},
    {.name = "udpv6_sent", .required = false},
    {.name = "neigh_event_send_done", .required = false, .lost_without = "waits for a neighbour's address"},
    {.name = "net_dev_queue"},
    {.name = "net_dev_start_xmit", .required = false, .lost_without = kNoStamp},
    {.name = "netif_receive_skb", .skipped = kDatagramSkipped},
    {.name = "kfree_skb"},
    {.name = "consume_skb"},
    {.name = "sk_data_ready", .required = false},
    {.name = "sock_recv_length", .required = false},
    {.name = "skb_consume_udp", .required = false},
    {.name = "sched_waking", .required = false, .lost_without = "how the reader was woken"},
    {.name = "sched_switch", .required = false, .lost_without = "when the reader had a CPU"},
};
// Not sys_exit: a call that was sampled must be seen to end.
constexpr std::string_view kPath[] = {"sys_enter", "udp_sendmsg", "udpv6_sendmsg"};
constexpr std::string_view kFunctions[] = {"udp_sendmsg", "udp_sent", "udpv6_sendmsg", "udpv6_sent"};
constexpr std::string_view kCalls[] = {"sys_enter", "sys_exit"};

constexpr const RecordType *kRecords[] = {&kSendHopRecord,    &kSendStartRecord,  &kRecvHopRecord, &kRecvStartRecord,
                                          &kAttachModeRecord, &kDropReasonRecord, &kSampledRecord};

const RecordType &record_type_of(const void *record) {
  const auto &hop = *static_cast<const send_hop *>(record);
  return hop.kind == SEND_ENTER || hop.kind == SEND_PACKET ? kSendStartRecord : recv_record_of(hop);
}

uint32_t process_of(const void *record) {
  const auto &hop = *static_cast<const send_hop *>(record);
  return hop.kind == SEND_ENTER || hop.kind == RECV_READ ? hop.tgid : 0;
}

// Who tells that a datagram was read: READ_BY_FREE, or where what was read is freed unseen (6.18) READ_BY_FUNCTION or
// READ_BY_SOCKET. As the user is told it.
std::string choose_reads(Object &object, std::string_view via) {
  const bool arrivals = object.variant("sk_data_ready") != nullptr;
  const bool freed_unseen = kernel_type("udp_prod_queue", BTF_KIND_STRUCT).file != nullptr;
  const bool by_function = freed_unseen && via != "tracepoints" && object.variant("skb_consume_udp") != nullptr;
  const bool by_socket = freed_unseen && !by_function && arrivals && object.variant("sock_recv_length") != nullptr;
  const read_teller teller = by_function ? READ_BY_FUNCTION : by_socket ? READ_BY_SOCKET : READ_BY_FREE;
  object.enable("sk_data_ready", arrivals);
  object.enable("skb_consume_udp", by_function);
  object.enable("sock_recv_length", by_socket);
  object.set_constant("arrivals_told", arrivals);
  object.set_constant("reads_told", static_cast<uint32_t>(teller));
  object.set_constant("has_reason", has_drop_reasons());
  return by_function ? "the read (skb_consume_udp)"
         : by_socket ? "the read (sock_recv_length, by size)"
                     : "the read (consume_skb)";
}

follow_attach_mode choose_send(Object &object, std::string_view via) {
  const std::string to_end = " to " + choose_reads(object, via) + ", or to the driver";
  const bool functions =
      via != "tracepoints" && object.variant("udp_sendmsg") != nullptr && object.variant("udp_sent") != nullptr;
  if (!functions && via == "functions") throw Error("cannot follow by functions: " + host().missing(Need::kFentry));
  object.enable(kFunctions, functions);
  object.enable(kCalls, !functions);
  object.set_constant("has_udpv6", functions && object.variant("udpv6_sendmsg") != nullptr);
  if (functions) return attach_mode_of("functions: from udp_sendmsg" + to_end, false);
  set_send_calls(object, true);
  return attach_mode_of("tracepoints: from the system call" + to_end, false);
}

follow_attach_mode choose_recv(Object &object, std::string_view via) {
  if (via == "functions") throw Error("cannot follow recv by functions: it needs none, and is followed by tracepoints");
  const std::string read = choose_reads(object, via);
  object.enable(kFunctions, false);
  object.enable(kCalls, false);
  object.enable("neigh_event_send_done", false);
  object.set_constant("receiving", true);
  return attach_mode_of("tracepoints: from the device that received a datagram to " + read, false);
}

constexpr std::string_view kOthers = "with --udp datagrams alone are followed, and without it TCP";

template <bool receives>
std::unique_ptr<ChainTracker> track(const follow_attach_mode &, Collector::Done done, bool here,
                                    const Thresholds &thresholds) {
  return std::make_unique<DatagramTracker>(std::move(done), receives, here, thresholds);
}

}  // namespace

const std::span<const Hook> kUdpHooks = kHooks;

const Chain kUdpSendChain = {
    .name = "send --udp",
    .procedure = kDatagramSendProcedure,
    .hooks = kHooks,
    .path_hooks = kPath,
    .records = kRecords,
    .record_of = record_type_of,
    .process_of = process_of,
    .losses = kDatagramLosses,
    .others = kOthers,
    .choose_attach_mode = choose_send,
    .track = track<false>,
};

const Chain kUdpRecvChain = {
    .name = "recv --udp",
    .procedure = kDatagramRecvProcedure,
    .hooks = kHooks,
    .path_hooks = {},
    .records = kRecords,
    .record_of = record_type_of,
    .process_of = process_of,
    .losses = kDatagramLosses,
    .others = kOthers,
    .chosen_late = true,
    .choose_attach_mode = choose_recv,
    .track = track<true>,
};

}  // namespace strata
