// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/chain.h"

#include <array>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "bpf/block_args.h"
#include "bpf/object.h"
#include "follow/query/tracker.h"
#include "follow/query/unix_server.h"
#include "follow/query/wire.h"
#include "lib/net/sock_wire.h"
#include "rec/names.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {
    {.name = "tcp_probe", .skipped = kQuerySkipped},
    {.name = "tcp_rcv_space_adjust"},
    {.name = "net_dev_queue"},
    {.name = "tcp_retransmit_skb", .required = false, .lost_without = "retransmits"},
    {.name = "tcp_destroy_sock"},
    {.name = "sched_switch"},
    {.name = "sched_waking"},
    {.name = "block_rq_complete", .required = false, .lost_without = "the requests to disks that are waited for"},
    {.name = "block_rq_insert",
     .required = false,
     .lost_without = "who has submitted a request, where a disk has a scheduler"},
    {.name = "block_rq_issue", .required = false, .lost_without = "when a disk has a request"},
    {.name = "inet_sock_set_state"},
    {.name = "sk_data_ready", .skipped = kQuerySkipped},
    {.name = "sock_recv_length"},
    {.name = "sock_def_readable", .skipped = kQuerySkipped},
    {.name = "unix_stream_recvmsg"},
    {.name = "unix_release", .required = false, .lost_without = "the end of a connection that nobody reads"},
};

constexpr const RecordType *kRecords[] = {&kQueryHopRecord,   &kQueryStartRecord, &kQueryUpstreamRecord,
                                          &kQueryBlockRecord, &kQueryLabelRecord, &kAttachModeRecord,
                                          &kDiskRecord,       &kSampledRecord};

const RecordType &record_type_of(const void *record) { return record_of(*static_cast<const query_hop *>(record)); }

uint32_t process_of(const void *record) {
  const auto &hop = *static_cast<const query_hop *>(record);
  return hop.kind == QUERY_READ || is_from_client(hop) ? hop.tgid : 0;
}

follow_attach_mode choose_mode(Object &object, std::string_view via) {
  if (via == "functions")
    throw Error("cannot follow query by functions: it needs none, and is followed by tracepoints");
  // Doctor loads them as if for some port, and with labels: without, the verifier would leave most of them out.
  object.set_constant("server_ports", std::array<uint16_t, SERVER_PORTS>{1});
  object.set_constant("labels", 1U);
  set_block_args(object);
  // choose_server() knows whether it is about connections of clients, or on a unix socket.
  object.enable({"inet_sock_set_state", "sk_data_ready", "sock_recv_length", "sock_def_readable", "unix_stream_recvmsg",
                 "unix_release"},
                false);
  return attach_mode_of(
      "tracepoints: from the request, where its client sent it or it arrived, to the end of its answer", false);
}

std::unique_ptr<ChainTracker> track(const follow_attach_mode &, Collector::Done done, bool,
                                    const Thresholds &thresholds) {
  return std::make_unique<QueryTracker>(std::move(done), thresholds);
}

}  // namespace

const std::span<const Hook> kQueryHooks = kHooks;

const Chain kQueryChain = {
    .name = "query",
    .procedure = kQueryProcedure,
    .hooks = kHooks,
    .path_hooks = {},
    .set_path = set_unix_server,
    .records = kRecords,
    .record_of = record_type_of,
    .process_of = process_of,
    .losses = kQueryLosses,
    .choose_attach_mode = choose_mode,
    .track = track,
};

}  // namespace strata
