// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata dropmon: where in the kernel packets are dropped, and why.
#include "dropmon/dropmon.h"

#include <array>
#include <string>

#include "base/error.h"
#include "base/joined.h"
#include "base/text.h"
#include "bpf/object.h"
#include "btf/drop_reasons.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "dropmon.manual.h"
#include "dropmon.skel.h"
#include "kern/inet.h"
#include "model/columns.h"
#include "rec/recording.h"
#include "run/replay.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/packet.h"
#include "subsys/stack_columns.h"

namespace strata {
namespace {

constexpr std::string_view kKeys[] = {"place", "reason", "protocol", "device"};  // in the order of enum drop_by

constexpr Option kOwnOptions[] = {
    {.name = "by",
     .value = "KEY,...",
     .kind = OptionKind::kText,
     .help = "rows by these: place,reason,protocol,device (all)",
     .candidates = [] { return candidates_of(kKeys); }},
    {.name = "stacks", .short_name = 's', .help = "and by the kernel functions that led there"},
    {.name = "list", .short_name = 'l', .help = "instead, a line for each drop", .constant = "listed"},
    {.name = "reason",
     .value = "NAME,...",
     .kind = OptionKind::kText,
     .help = "only these: NO_SOCKET (5.17 and later)",
     .constant_if_given = "by_reasons"},
    {.name = "place",
     .value = "FUNCTION,...",
     .kind = OptionKind::kText,
     .help = "only in these functions: tcp_v4_rcv",
     .constant_if_given = "by_places"},
};
constexpr auto kOptions = joined(kOwnOptions, kPacketOptions);

MaybeText reason_value(uint32_t reason, Resolver &names) {
  return reason == DROP_NO_REASON ? Value() : Value(names.drop_reason(reason));
}

constexpr Field kCountFields[] = {
    INTERVAL_STORED(drop_entry),
    {STORED(drop_entry, key.by)},
    {STORED(drop_entry, key.place), .pointer = true, COMPUTED([](const drop_entry &e, Resolver &names) {
       return e.key.by & DROP_BY_PLACE ? MaybeText(names.symbol(e.key.place)) : MaybeText();
     }),
     .key = "place", .title = "PLACE", .width = -20, .help = "function and offset where the kernel gave it up",
     .with = "by=place|!by"},
    {STORED(drop_entry, key.reason), COMPUTED([](const drop_entry &e, Resolver &names) {
       return e.key.by & DROP_BY_REASON ? reason_value(e.key.reason, names) : MaybeText();
     }),
     .key = "reason", .title = "REASON", .width = -10, .help = "why; NOT_SPECIFIED: it does not say; empty before 5.17",
     .with = "by=reason|!by"},
    ethertype_column({STORED(drop_entry, key.ethertype), COMPUTED([](const drop_entry &e) {
                        return e.key.by & DROP_BY_PROTOCOL ? ethertype_value(e.key.ethertype) : MaybeText();
                      }),
                      .help = "what it carries; unix, netlink: between local sockets", .with = "by=protocol|!by"}),
    ip_protocol_column({STORED(drop_entry, key.protocol), COMPUTED([](const drop_entry &e) {
                          return e.key.by & DROP_BY_PROTOCOL ? ip_protocol_value(e.key.protocol) : MaybeText();
                        }),
                        .with = "by=protocol|!by"}),
    dev_column({STORED(drop_entry, key.dev), COMPUTED([](const drop_entry &e) {
                  return e.key.by & DROP_BY_DEVICE ? device_value(e.key.dev, e.key.ifindex) : MaybeText();
                }),
                .help = "its device; empty: it has none (yet)", .with = "by=device|!by"}),
    ifindex_column({STORED(drop_entry, key.ifindex), .optional = true, SHOWN_IF(is_by<drop_entry, DROP_BY_DEVICE>)}),
    netns_column({STORED(drop_entry, key.netns), .optional = true, SHOWN_IF(is_by<drop_entry, DROP_BY_DEVICE>),
                  .help = "inode of the network namespace, as lsns shows it", .hidden = true}),
    {STORED(drop_entry, value.drops), .key = "drops", .title = "DROPS", .width = 5, .help = "packets dropped"},
    {STORED(drop_entry, value.bytes), .key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7,
     .help = "of all", .hidden = true},
    stack_column(
        {STORED(drop_entry, key.stack), .help = "with --stacks: the functions that led there", .with = "stacks"}),
};
constexpr RecordType kCount = record_type<drop_entry>("drops", kCountFields);

Packet dropped_packet(const drop_event &e) { return packet_of(e, Direction::kUnknown); }

// A line has room for one of reason and place: for the place where the kernel tells no reasons.
constexpr Field kDropFields[] = {
    time_column({STORED(drop_event, ts_ns), .help = "when it was dropped"}),
    dev_column({STORED(drop_event, packet.dev),
                COMPUTED([](const drop_event &e) { return device_value(e.packet.dev, e.packet.ifindex); }),
                .help = "its device; empty: it has none (yet)"}),
    ethertype_column(
        {STORED(drop_event, packet.ethertype), .help = "what it carries; unix, netlink: between local sockets"}),
    ip_protocol_column({STORED(drop_event, packet.protocol)}),
    source_column<drop_event>("with --list: address and port that it comes from"),
    destination_column<drop_event>("with --list: that it goes to"),
    PACKET_ENDS_STORED(drop_event, packet),
    {STORED(drop_event, reason), COMPUTED(reason_value), .key = "reason", .title = "REASON", .width = -14,
     .help = "why; NOT_SPECIFIED: it does not say; empty before 5.17"},
    {STORED(drop_event, packet.info), COMPUTED([](const drop_event &e) { return info_value(e.packet); }), .key = "info",
     .title = "INFO", .width = -8, .help = "flags of TCP, type of ICMP", .hidden = true},
    {STORED(drop_event, state), .optional = true, COMPUTED(write_tcp_state), .key = "state", .title = "STATE",
     .width = -11, .help = "of the TCP socket", .hidden = true},
    {STORED(drop_event, place), .pointer = true,
     COMPUTED([](const drop_event &e, Resolver &names) { return names.symbol(e.place); }), .key = "place",
     .title = "PLACE", .width = -31, .help = "function and offset where the kernel gave it up", .hidden = true},
    {STORED(drop_event, packet.bytes), .key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7,
     .help = "of it", .hidden = true},
    {STORED(drop_event, packet.known), COMPUTED([](const drop_event &e) { return known_text(e.packet); }),
     .key = "notes", .title = "NOTES", .help = "its VLAN; whether headers are missing", .hidden = true},
    {STORED(drop_event, packet.vlan)},
    ifindex_column({STORED(drop_event, packet.ifindex), .optional = true}),
    netns_column({STORED(drop_event, packet.netns), .optional = true,
                  .help = "inode of the network namespace, as lsns shows it", .hidden = true}),
    pid_column({STORED(drop_event, tgid), .help = "what ran there, often not its own", .hidden = true}),
    tid_column({STORED(drop_event, tid), .help = "the same: the thread", .hidden = true}),
    comm_column({STORED(drop_event, comm), .help = "the same: its name", .hidden = true}),
    stack_column({STORED(drop_event, stack), .help = "with --stacks: the functions that led there", .with = "stacks"}),
    {STORED(drop_event, header_bytes)},
    {STORED(drop_event, headers)},
};
constexpr RecordType kDrop = packets_of<dropped_packet>(record_type<drop_event>("drop", kDropFields));

constexpr std::string_view kLosses[] = {"stack found no room: its drops are counted without"};
constexpr TableSpec kCounts = [] {
  TableSpec counts = table_spec<drop_entry>(kCount, "drops", "drops", kLosses);
  counts.entries.cache = "cached";
  return counts;
}();
constexpr View kViews[] = {
    {.name = "the table", .shape = kCounts},
    {.option = "list", .name = "--list", .without = "by", .shape = EventSpec{.record = &kDrop, .losses = kLosses}},
};

constexpr Hook kHooks[] = {{.name = "kfree_skb"}};

void show_places_for_reasons(Session &session) {
  for (Field column : kDropFields) {
    if (column.key != "place" && column.key != "reason") continue;
    column.hidden = !column.hidden;
    session.set_column(column);
  }
}

void choose_reasons(const std::string &names, Object &object) {
  std::array<uint32_t, DROP_REASONS> wanted = {};
  size_t used = 0;
  if (!has_drop_reasons()) throw Error("this kernel does not tell why it drops a packet (5.17 and later do)");
  for (const std::string_view name : split_commas(names)) {
    const auto number = drop_reason_number(name);
    if (!number) {
      throw usage_error("--reason takes names of this kernel's enum skb_drop_reason, such as NO_SOCKET, not '" +
                        printable(name) + "'");
    }
    if (used == wanted.size()) throw usage_error("--reason takes at most " + std::to_string(DROP_REASONS) + " reasons");
    wanted[used++] = *number;
  }
  object.set_constant("wanted_reasons", wanted);
}

void choose_places(const std::string &names, Object &object) {
  std::array<uint64_t, DROP_PLACES> from = {}, to = {};
  size_t used = 0;
  if (!kernel_symbols().has_addresses())
    throw Error(std::string("--place needs the addresses of functions: ") + kHiddenAddresses);
  for (const std::string_view name : split_commas(names)) {
    const auto parts = kernel_symbols().functions(name);
    if (parts.empty()) throw Error("no function of the kernel is called " + printable(name) + " (see /proc/kallsyms)");
    for (const Kallsyms::Range &part : parts) {
      if (used == from.size())
        throw usage_error("--place takes at most " + std::to_string(DROP_PLACES) + " functions and parts of them");
      from[used] = part.from;
      to[used++] = part.to;
    }
  }
  object.set_constant("place_from", from);
  object.set_constant("place_to", to);
}

// Where the compiler has split the function that drops (bpf/dropmon), as it may before 6.1, which came with maple
// trees: to read all names takes 45 ms.
void choose_parts(Object &object) {
  std::array<uint64_t, DROP_PARTS> from = {}, to = {};
  size_t used = 0;
  if (kernel_type("maple_tree", BTF_KIND_STRUCT).file != nullptr) return;
  if (!kernel_symbols().has_addresses()) return;  // then places have no names
  for (const std::string_view name : {"kfree_skb", "kfree_skb_reason"}) {
    const auto parts = kernel_symbols().functions(name);
    if (parts.size() < 2) continue;
    for (const Kallsyms::Range &part : parts) {
      if (used == from.size()) break;
      from[used] = part.from;
      to[used++] = part.to;
    }
  }
  object.set_constant("part_from", from);
  object.set_constant("part_to", to);
}

int trace(const Values &values, Session &session, Object &object) {
  const uint32_t keys = values.given("by") ? bits_named(values, "by", kKeys)
                                           : DROP_BY_PLACE | DROP_BY_REASON | DROP_BY_PROTOCOL | DROP_BY_DEVICE;
  const bool stacks = values.given("stacks");
  const int args = tracepoint_args("kfree_skb");
  object.set_constant("by", keys | (stacks ? uint32_t{DROP_BY_STACK} : 0));
  object.set_constant("has_reason", args >= 3);
  object.set_constant("has_sock", args >= 4);
  object.set_constant("unfiltered",
                      !session.filters_tasks() && !any_given(values, {"reason", "place"}) && !asks_for_packets(values));
  if (values.given("reason")) choose_reasons(values.text("reason"), object);
  if (values.given("place")) choose_places(values.text("place"), object);
  choose_parts(object);
  choose_packets(values, object);
  object.set_constant("packet_headers", session.out().wants_headers());
  session.keep(kToReadSymbols);  // when the first packet is dropped
  if (!stacks) object.set_max_entries("stacks", 1);
  if (session.shows("list") && !has_drop_reasons()) show_places_for_reasons(session);
  return run_view(session, object);
}

// Where the kernel of the run told reasons, the first drop's name stands before it.
int replay(Recording &recording, Session &session) {
  constexpr std::string_view kNames[] = {"reason", "drop"};
  if (recording.first_of(kNames) == "drop") show_places_for_reasons(session);
  return replay_view(recording, session);
}

}  // namespace

extern const Tool tool_dropmon = {
    .name = "dropmon",
    .subsystem = Subsystem::kNetwork,
    .summary = "count packets that the kernel drops: where, why, which device",
    .manual = kManual,
    .options = kOptions,
    .common_options = kTracing | kHasBuffer,
    .views = kViews,
    .programs = {.elf = dropmon_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
    .replay = replay,
};

}  // namespace strata
