// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tcprtt: the round-trip time of TCP connections.
#include "tcprtt/tcprtt.h"

#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "model/columns.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/sock.h"
#include "subsys/sock_owners.h"
#include "tcprtt.manual.h"
#include "tcprtt.skel.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    {.name = "by-local", .short_name = 'b', .help = "one for each address of this end"},
    {.name = "by-remote", .short_name = 'B', .help = "one for each address of the other end"},
    {.name = "by-local-port", .help = "one for each port of this end"},
    {.name = "by-remote-port", .help = "one for each port of the other end"},
    {.name = "average", .short_name = 'e', .help = "instead, a table of averages", .constant = "averaged"},
    {.name = "sample", .short_name = 's', .help = "each sample taken, not the smoothed time", .constant = "sampled"},
};
constexpr auto kOptions = joined(kOwnOptions, kSockOptionsWithLocal);

// The fields of a key; a column writes nothing unless the key has it.
template <typename Entry>
constexpr Field kKeyFields[] = {
    {STORED(Entry, key.by)},
    ENDS_STORED(Entry, key.ends),
    {COMPUTED([](const Entry &e) {
       return e.key.by & RTT_BY_LOCAL ? address(e.key.ends.local_hi, e.key.ends.local_lo) : MaybeText();
     }),
     .key = "local_address", .title = "LADDR", .width = -18, .help = "this end, with -b", .with = "by-local"},
    {STORED(Entry, key.ends.local_port), SHOWN_IF(is_by<Entry, RTT_BY_LOCAL_PORT>), .key = "local_port",
     .title = "LPORT", .width = 5, .help = "with --by-local-port", .with = "by-local-port"},
    {COMPUTED([](const Entry &e) {
       return e.key.by & RTT_BY_REMOTE ? address(e.key.ends.remote_hi, e.key.ends.remote_lo) : MaybeText();
     }),
     .key = "remote_address", .title = "RADDR", .width = -18, .help = "the other end, with -B", .with = "by-remote"},
    {STORED(Entry, key.ends.remote_port), SHOWN_IF(is_by<Entry, RTT_BY_REMOTE_PORT>), .key = "remote_port",
     .title = "RPORT", .width = 5, .help = "with --by-remote-port", .with = "by-remote-port"},
};

constexpr Field kSlotValues[] = {
    SLOT_STORED(rtt_slot_entry),
    {COMPUTED(slot_values), .key = "rtt_ns", .title = "RTT", .unit = Unit::kNs,
     .help = "round-trip time, in a histogram"},
};
constexpr Field kSlotNumber[] = {{STORED(rtt_slot_entry, key.zero)}, {STORED(rtt_slot_entry, key.slot)}};
constexpr auto kSlotFields = joined(kSlotValues, kKeyFields<rtt_slot_entry>, kSlotNumber);
constexpr RecordType kSlot = record_type<rtt_slot_entry>("slot", kSlotFields);

constexpr Field kSumInterval[] = {INTERVAL_STORED(rtt_sum_entry)};
constexpr Field kSumValues[] = {
    {STORED(rtt_sum_entry, value.count), .key = "count", .title = "COUNT", .width = 10,
     .help = "segments that were received"},
    {STORED(rtt_sum_entry, value.sum_ns), COMPUTED([](const rtt_sum_entry &e) {
       return e.value.count > 0 ? Value(e.value.sum_ns / e.value.count) : Value();
     }),
     .key = "avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7, .help = "round-trip time, of all of them"},
};
constexpr auto kSumFields = joined(kSumInterval, kKeyFields<rtt_sum_entry>, kSumValues);
constexpr RecordType kSum = record_type<rtt_sum_entry>("sum", kSumFields);

constexpr View kViews[] = {
    {.name = "the histograms", .shape = histogram_spec<rtt_slot_entry>(kSlot, "rtts", "rtts_by")},
    {.option = "average", .name = "--average", .shape = table_spec<rtt_sum_entry>(kSum, "averages", "avg_ns")},
};

constexpr Hook kHooks[] = {{.name = "tcp_probe"}, {.name = "inet_sock_set_state"}};

int trace(const Values &values, Session &session, Object &object) {
  const uint32_t by = bits_given(values, {"by-local", "by-local-port", "by-remote", "by-remote-port"});  // enum rtt_by
  choose_socks(values, object);
  if (session.filters_tasks())
    store_socket_owners(session, object);
  else
    leave_out_socket_owners(object);
  object.set_constant("by", by);
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_tcprtt = {
    .name = "tcprtt",
    .subsystem = Subsystem::kNetwork,
    .summary = "show the round-trip time of TCP connections",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = tcprtt_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare_socks},
    .trace = trace,
};

}  // namespace strata
