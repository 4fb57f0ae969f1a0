// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tcpretrans: each packet that TCP sent again, and why.
#include "tcpretrans/tcpretrans.h"

#include <netinet/in.h>

#include <iterator>
#include <numeric>
#include <string>

#include "base/error.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "model/columns.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/ip_header.h"
#include "subsys/sock.h"
#include "subsys/sock_owners.h"
#include "subsys/stacks.h"
#include "tcpretrans.manual.h"
#include "tcpretrans.skel.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    {.name = "flows", .short_name = 'f', .help = "instead, a table of connections", .constant = "by_flow"},
    {.name = "loss-probes", .short_name = 'l', .help = "also tail-loss probes with new data, by a function"},
    {.name = "sequence", .short_name = 's', .help = "also show SEQ"},
    kShowTimeOption,
};
constexpr auto kOptions = joined(kOwnOptions, kSockOptionsWithLocal);

std::string cause_text(uint32_t cause) {
  constexpr const char *kNames[] = {"other", "timeout", "slow start", "SACK",   "fast",
                                    "TLP",   "SYN",     "SYN-ACK",    "TLP new"};
  return cause < std::size(kNames) ? kNames[cause] : "cause " + std::to_string(cause);
}

// The kernel writes the headers when this is over: the packet is of what the record says, without options of TCP.
Packet sent_packet(const retransmit_event &e) {
  const sock_ends &ends = e.ends;
  std::string tcp;
  append_network_order(tcp, ends.local_port, 2);
  append_network_order(tcp, ends.remote_port, 2);
  append_network_order(tcp, e.seq, 4);
  const IpHeader ip = {.source = {ends.local_hi, ends.local_lo},
                       .destination = {ends.remote_hi, ends.remote_lo},
                       .protocol = IPPROTO_TCP};
  const uint32_t size = ip_header_bytes(ip) + kTcpHeaderBytes + e.size_bytes;
  return {.ts_ns = e.ts_ns, .bytes = ip_header(ip, size) + tcp, .size = size, .direction = Direction::kOutbound};
}

constexpr Field kFields[] = {
    time_column({STORED(retransmit_event, ts_ns), .help = "when it was sent", .with = "time"}),
    pid_column({STORED(retransmit_event, tgid), .optional = true, .width = 6,
                .help = "the process whose connection it is; empty: not known"}),
    comm_column({STORED(retransmit_event, comm), COMPUTED(owner_comm<retransmit_event>), .help = "its name"}),
    local_port_column({STORED(retransmit_event, ends.local_port)}),
    remote_end<retransmit_event>(),
    {STORED(retransmit_event, state), COMPUTED(write_tcp_state), .key = "state", .title = "STATE", .width = -11,
     .help = "of the connection"},
    {STORED(retransmit_event, cause), COMPUTED(cause_text), .key = "cause", .title = "CAUSE", .width = -10,
     .help = "why: timeout, slow start, SACK, fast, TLP, SYN, SYN-ACK"},
    {STORED(retransmit_event, segments), .key = "segments", .title = "SEG", .width = 3,
     .help = "how many segments it was"},
    {STORED(retransmit_event, seq), .key = "seq", .title = "SEQ", .width = 10,
     .help = "sequence number of its first byte", .with = "sequence"},
    {STORED(retransmit_event, size_bytes), .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .width = 7,
     .help = "data in it", .hidden = true},
    {STORED(retransmit_event, total), .key = "total", .title = "TOTAL", .width = 5,
     .help = "segments of the connection so far", .hidden = true},
    {STORED(retransmit_event, srtt_us),
     COMPUTED([](const retransmit_event &e) { return if_known(e.srtt_us != 0, e.srtt_us * uint64_t{1000}); }),
     .key = "rtt_ns", .title = "RTT", .unit = Unit::kNs, .width = 6, .help = "its smoothed round-trip time",
     .hidden = true},
    {STORED(retransmit_event, cwnd), .key = "cwnd", .title = "CWND", .width = 5,
     .help = "its congestion window, in segments", .hidden = true},
    {STORED(retransmit_event, error), COMPUTED([](const retransmit_event &e) {
       return if_known(e.error != 0, e.error > 0 ? "dropped" : errno_name(e.error));
     }),
     .key = "error", .title = "ERROR", .width = -8, .help = "why it did not leave", .hidden = true},
    ENDS_PARTS(retransmit_event, ends),
    tid_column({STORED(retransmit_event, tid), .optional = true, .width = 6,
                .help = "the thread that worked on it last", .hidden = true}),
    uid_column({STORED(retransmit_event, uid), .help = "the user whose socket it is", .hidden = true}),
    ENDS_STORED(retransmit_event, ends),
};
constexpr RecordType kRetransmit = packets_of<sent_packet>(record_type<retransmit_event>("retransmit", kFields));

constexpr Field kFlowFields[] = {
    INTERVAL_STORED(flow_entry),
    pid_column({STORED(flow_entry, key.tgid), .optional = true, .width = 6,
                .help = "the process whose connection it is; empty: not known"}),
    comm_column({STORED(flow_entry, key.comm), COMPUTED(owner_comm<flow_entry>), .help = "its name"}),
    local_port_column({STORED(flow_entry, key.ends.local_port)}),
    remote_end<flow_entry>(),
    {COMPUTED([](const flow_entry &e) {
       return std::accumulate(std::begin(e.value.segments), std::end(e.value.segments), uint64_t{0});
     }),
     .key = "retransmits", .title = "RTX", .width = 4, .help = "with --flows: segments sent again", .adds_up = true},
    {STORED_AS("timeouts", flow_entry, value.segments[CAUSE_TIMEOUT]), .key = "timeouts", .title = "TMO", .width = 3,
     .help = "with --flows: of these, by timeout"},
    {STORED_AS("slow_start", flow_entry, value.segments[CAUSE_SLOW_START]), .key = "slow_start", .title = "SLOW",
     .width = 4, .help = "likewise, in slow start, after a timeout"},
    {STORED_AS("sack", flow_entry, value.segments[CAUSE_SACK]),
     COMPUTED([](const flow_entry &e) { return e.value.segments[CAUSE_SACK] + e.value.segments[CAUSE_FAST]; }),
     .key = "recovery", .title = "FAST", .width = 4, .help = "likewise, by SACK or fast", .adds_up = true},
    {STORED_AS("fast", flow_entry, value.segments[CAUSE_FAST])},
    {STORED_AS("probes", flow_entry, value.segments[CAUSE_PROBE]), .key = "probes", .title = "TLP", .width = 3,
     .help = "likewise, as tail-loss probes"},
    {STORED_AS("syn", flow_entry, value.segments[CAUSE_SYN]),
     COMPUTED([](const flow_entry &e) { return e.value.segments[CAUSE_SYN] + e.value.segments[CAUSE_SYN_ACK]; }),
     .key = "syns", .title = "SYN", .width = 3, .help = "likewise, SYNs and SYN-ACKs", .adds_up = true},
    {STORED_AS("syn_ack", flow_entry, value.segments[CAUSE_SYN_ACK])},
    {STORED_AS("others", flow_entry, value.segments[CAUSE_OTHER]), .key = "others", .title = "OTHER", .width = 5,
     .help = "likewise, of another cause", .hidden = true},
    {STORED(flow_entry, value.bytes), .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .width = 7,
     .help = "data in it", .hidden = true},
    ENDS_PARTS(flow_entry, key.ends),
    ENDS_STORED(flow_entry, key.ends),
    {STORED(flow_entry, key.zero)},
};
constexpr RecordType kFlow = record_type<flow_entry>("flow", kFlowFields);

constexpr View kViews[] = {
    {.name = "the lines", .shape = EventSpec{.record = &kRetransmit}},
    {.option = "flows",
     .name = "the table of --flows",
     .without = "loss-probes|time|sequence",
     .shape = table_spec<flow_entry>(kFlow, "flows", "retransmits")},
};

constexpr Hook kHooks[] = {
    {.name = "tcp_retransmit_skb"},
    {.name = "tcp_retransmit_synack"},
    {.name = "inet_sock_set_state"},
    {.name = "tcp_send_loss_probe", .required = false, .lost_without = "tail-loss probes with new data (-l)"},
};

int trace(const Values &values, Session &session, Object &object) {
  const bool probes = values.given("loss-probes");
  choose_socks(values, object);
  store_socket_owners(session, object);
  object.enable("tcp_send_loss_probe", probes);
  if (probes && !object.variant("tcp_send_loss_probe")) {
    throw Error(
        "--loss-probes needs the function tcp_send_loss_probe, and this host permits neither fentry nor kprobes");
  }
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_tcpretrans = {
    .name = "tcpretrans",
    .subsystem = Subsystem::kNetwork,
    .summary = "show each packet that TCP sends again, and why, or count them",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = tcpretrans_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks},
    .stacks = kernel_event_stacks(tcpretrans_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
