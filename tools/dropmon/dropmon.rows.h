// The tables of strata dropmon: options, columns, records, and what becomes of them. Drops are counted, or listed.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "btf/drop_reasons.h"
#include "btf/kernel_types.h"
#include "cli/values.h"
#include "dropmon/dropmon.h"
#include "kern/inet.h"
#include "rec/names.h"
#include "rec/recording.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/intervals.h"
#include "run/names.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/packet.h"

namespace strata {

inline constexpr Option kDropOptions[] = {
    {.name = "by",
     .value = "KEY,...",
     .kind = OptionKind::kText,
     .help = "rows by these: place,reason,protocol,device (all)"},
    {.name = "stacks", .letter = 's', .help = "and by the kernel functions that led there"},
    {.name = "list", .letter = 'l', .help = "instead, a line for each drop"},
    {.name = "reason",
     .value = "NAME,...",
     .kind = OptionKind::kText,
     .help = "only these: NO_SOCKET (5.17 and later)"},
    {.name = "place",
     .value = "FUNCTION,...",
     .kind = OptionKind::kText,
     .help = "only in these functions: tcp_v4_rcv"},
    kDevOption,
    kNetnsOption,
    kProtocolOption,
    kPortOption,
    kAddressOption,
    kPacketIpv4Option,
    kPacketIpv6Option,
};

inline constexpr Column
    kDropTime = {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when it was dropped"},
    kDropPlace = {.key = "place",
                  .title = "PLACE",
                  .width = -31,
                  .help = "function and offset where the kernel gave it up"},
    kDropReason = {.key = "reason",
                   .title = "REASON",
                   .width = -14,
                   .help = "why; NOT_SPECIFIED: it does not say; empty before 5.17"},
    kDropEther = {.key = "ethertype",
                  .title = "ETHER",
                  .width = -5,
                  .help = "what it carries; unix, netlink: between local sockets"},
    kDropProto = {.key = "protocol", .title = "PROTO", .width = -5, .help = "of IP"},
    kDropDev = {.key = "dev", .title = "DEV", .width = -6, .help = "its device; empty: it has none (yet)"},
    kDropIfindex = {.key = "ifindex", .title = "IF", .width = 4, .help = "number of the device", .by_default = false},
    kDropNetns = {.key = "netns",
                  .title = "NETNS",
                  .width = 10,
                  .help = "inode of the network namespace, as lsns shows it",
                  .by_default = false},
    kDropStack = {.key = "stack",
                  .title = "STACK",
                  .unit = Unit::kStack,
                  .help = "with --stacks: the functions that led there",
                  .with = "stacks"};

inline constexpr Column kDropCounted[] = {
    kDropPlace,
    kDropReason,
    kDropEther,
    kDropProto,
    kDropDev,
    kDropIfindex,
    kDropNetns,
    {.key = "drops", .title = "DROPS", .width = 8, .help = "packets dropped"},
    {.key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7, .help = "of all", .by_default = false},
    kDropStack,
};

inline constexpr Column kDropListed[] = {
    kDropTime,
    kDropDev,
    kDropEther,
    kDropProto,
    {.key = "source", .title = "SOURCE", .width = -15, .help = "with --list: address and port that it comes from"},
    {.key = "destination", .title = "DESTINATION", .width = -15, .help = "with --list: that it goes to"},
    kDropReason,
    {.key = "info", .title = "INFO", .width = -8, .help = "flags of TCP, type of ICMP", .by_default = false},
    {.key = "state", .title = "STATE", .width = -11, .help = "of the TCP socket", .by_default = false},
    kDropPlace,
    {.key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7, .help = "of it", .by_default = false},
    {.key = "notes", .title = "NOTES", .help = "its VLAN; whether headers are missing", .by_default = false},
    kDropIfindex,
    kDropNetns,
    {.key = "tgid", .title = "PID", .width = 7, .help = "what ran there, often not its own", .by_default = false},
    {.key = "tid", .title = "TID", .width = 7, .help = "the same: the thread", .by_default = false},
    {.key = "comm", .title = "COMM", .width = -15, .help = "the same: its name", .by_default = false},
    kDropStack,
};

// Of both, for the help, which explains those of the table.
inline constexpr Column kDropColumns[] = {
    kDropPlace,
    kDropReason,
    kDropEther,
    kDropProto,
    kDropDev,
    kDropCounted[7],
    kDropStack,
    kDropCounted[8],
    kDropIfindex,
    kDropNetns,
    if_asked(kDropListed[0]),
    if_asked(kDropListed[4]),
    if_asked(kDropListed[5]),
    if_asked(kDropListed[7]),
    if_asked(kDropListed[8]),
    if_asked(kDropListed[11]),
    if_asked(kDropListed[14]),
    if_asked(kDropListed[15]),
    if_asked(kDropListed[16]),
};

inline constexpr WireField kDropCountFields[] = {
    WIRE_NUMBER(drop_entry, from_ns),
    WIRE_NUMBER(drop_entry, to_ns),
    {"drops", offsetof(drop_entry, value.drops), 8},
    {"bytes", offsetof(drop_entry, value.bytes), 8},
    {"place", offsetof(drop_entry, key.place), 8},
    {"stack", offsetof(drop_entry, key.stack), 8},
    {"reason", offsetof(drop_entry, key.reason), 4},
    {"by", offsetof(drop_entry, key.by), 4},
    {"ethertype", offsetof(drop_entry, key.ethertype), 4},
    {"protocol", offsetof(drop_entry, key.protocol), 4},
    {"ifindex", offsetof(drop_entry, key.ifindex), 4},
    {"netns", offsetof(drop_entry, key.netns), 4},
    {"dev", offsetof(drop_entry, key.dev), 16, true},
};
inline constexpr Wire kDropCountWire = {"drops", sizeof(drop_entry), kDropCountFields};

inline constexpr WireField kDropFields[] = {
    WIRE_NUMBER(drop_event, ts_ns),  WIRE_NUMBER(drop_event, place),  WIRE_NUMBER(drop_event, stack),
    WIRE_PACKET(drop_event, packet), WIRE_NUMBER(drop_event, reason), WIRE_NUMBER(drop_event, state),
    WIRE_NUMBER(drop_event, tgid),   WIRE_NUMBER(drop_event, tid),    WIRE_TEXT(drop_event, comm),
};
inline constexpr Wire kDropWire = {"drop", sizeof(drop_event), kDropFields};

inline constexpr std::string_view kDropLosses[] = {"stack found no room: its drops are counted without"};

inline Value drop_reason_value(uint32_t reason, Names &names) {
  return reason == DROP_NO_REASON ? Value() : Value(names.drop_reason(reason));
}
inline Value drop_stack_value(uint64_t stack, Names &names) { return stack == 0 ? Value() : Value(names.stack(stack)); }
inline Value unless_zero(uint64_t number) { return number == 0 ? Value() : Value(number); }

inline Row drop_count_row(const drop_entry &e, Names &names) {
  const drop_key &key = e.key;
  const auto if_by = [&](uint32_t bit, Value value) { return key.by & bit ? value : Value(); };
  return {key.by & DROP_BY_PLACE ? Value(names.symbol(key.place)) : Value(),
          key.by & DROP_BY_REASON ? drop_reason_value(key.reason, names) : Value(),
          if_by(DROP_BY_PROTOCOL, ethertype_value(key.ethertype)),
          if_by(DROP_BY_PROTOCOL, ip_protocol_value(key.protocol)),
          if_by(DROP_BY_DEVICE, device_value(key.dev, key.ifindex)),
          if_by(DROP_BY_DEVICE, unless_zero(key.ifindex)),
          if_by(DROP_BY_DEVICE, unless_zero(key.netns)),
          uint64_t{e.value.drops},
          uint64_t{e.value.bytes},
          drop_stack_value(key.stack, names)};
}

inline void give_drop(const drop_event &e, Cells &cells, Names &names) {
  const packet &p = e.packet;
  cells.number(e.ts_ns);
  give_headers(p, cells);
  cells.made([&] { return drop_reason_value(e.reason, names); });
  cells.made([&] { return info_value(p); });
  cells.words_if(e.state != 0, e.state, write_tcp_state);
  cells.made([&] { return names.symbol(e.place); });
  cells.number(p.bytes);
  cells.made([&] { return known_text(p); });
  cells.number_if(p.ifindex != 0, p.ifindex);
  cells.number_if(p.netns != 0, p.netns);
  cells.number(e.tgid);
  cells.number(e.tid);
  cells.comm(e.comm);
  cells.made([&] { return drop_stack_value(e.stack, names); });
}

inline constexpr Tops kDropTops = [] {
  Tops tops = tops_of<drop_entry, drop_count_row>(kDropCountWire, "drops", kDropLosses);
  tops.entries.cells = "cells";
  return tops;
}();
inline constexpr Events kDropEvents = events_of<drop_event, give_drop>(kDropWire, kDropLosses);

}  // namespace strata
