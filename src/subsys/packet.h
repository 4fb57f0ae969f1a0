// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the tools on packets have in common: options, the constants of bpf/lib/net/packet_filter.h, and how a packet
// becomes columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/option.h"
#include "kern/names_in.h"
#include "lib/net/packet_wire.h"
#include "model/columns.h"

namespace strata {

class Object;
class Values;

inline constexpr Option kPacketOptions[] = {
    {.name = "dev",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help = "only this device, as ip link calls it",
     .candidates = [] { return names_in("/sys/class/net"); }},
    {.name = "netns",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help = "only this namespace: self, PID, or as ip netns",
     .candidates = [] { return names_in("/run/netns"); }},
    {.name = "protocol",
     .short_name = 'P',
     .value = "NAME,...",
     .kind = OptionKind::kText,
     .help = "only these: udp,arp; 47 of IP; ethertype 0x88cc"},
    {.name = "port",
     .value = "PORT,...",
     .kind = OptionKind::kNumbers,
     .help = "only these ports, of either end",
     .low = 1,
     .high = 65535},
    {.name = "address",
     .short_name = 'A',
     .value = "ADDRESS",
     .kind = OptionKind::kText,
     .help = "only from or to this, or subnet (10.0.0.0/8)"},
    {.name = "ipv4", .short_name = '4', .help = "only IPv4"},
    {.name = "ipv6", .short_name = '6', .help = "only IPv6"},
};

void choose_packets(const Values &values, Object &object);  // of the options above; throws Error
[[nodiscard]] bool asks_for_packets(const Values &values);  // for certain ones, by them

// Of the fields of a packet, or of a key; empty where nothing is known.
MaybeText device_value(const char (&name)[16], uint32_t ifindex);
MaybeText ethertype_value(uint32_t ethertype);
MaybeText ip_protocol_value(uint32_t protocol);
MaybeText source_value(const packet &p);  // address and port, or the address alone
MaybeText dest_value(const packet &p);
MaybeText info_value(const packet &p);    // flags of TCP, type of ICMP
std::string known_text(const packet &p);  // "vlan 7, fragment, cut"

// What a capture has of a record that has a packet, and its headers if they were asked for: else of what is known of
// them.
Packet packet_of(const packet &p, uint64_t ts_ns, std::string_view headers, Direction direction);
template <typename Record>
Packet packet_of(const Record &e, Direction direction) {
  return packet_of(e.packet, e.ts_ns, {e.headers, std::min<size_t>(e.header_bytes, sizeof(e.headers))}, direction);
}

// Columns of a packet, or of a key that packets are counted by: what an entry does not say of one is as usual.
constexpr Field dev_column(const Field &column) {
  return completed(column, {.key = "dev", .title = "DEV", .width = -6});
}
constexpr Field ethertype_column(const Field &column) {
  return completed(column, {COMPUTED(ethertype_value), .key = "ethertype", .title = "ETHER", .width = -5});
}
constexpr Field ip_protocol_column(const Field &column) {
  return completed(column,
                   {COMPUTED(ip_protocol_value), .key = "protocol", .title = "PROTO", .width = -5, .help = "of IP"});
}
constexpr Field ifindex_column(const Field &column) {
  return completed(column,
                   {.key = "ifindex", .title = "IF", .width = 4, .help = "number of the device", .hidden = true});
}
constexpr Field netns_column(const Field &column) {
  return completed(column, {.key = "netns", .title = "NETNS", .width = 10});
}
template <typename Record>
constexpr Field source_column(std::string_view help) {
  return {COMPUTED([](const Record &e) { return source_value(e.packet); }),
          .key = "source",
          .title = "SOURCE",
          .address = true,
          .width = kEndpointWidth,
          .help = help};
}
template <typename Record>
constexpr Field destination_column(std::string_view help) {
  return {COMPUTED([](const Record &e) { return dest_value(e.packet); }),
          .key = "destination",
          .title = "DESTINATION",
          .address = true,
          .width = kEndpointWidth,
          .help = help};
}

// Fields of a struct packet: both ends, which are recorded as numbers and shown together.
#define PACKET_ENDS_STORED(type, packet)                                                              \
  {STORED(type, packet.source_hi)}, {STORED(type, packet.source_lo)}, {STORED(type, packet.dest_hi)}, \
      {STORED(type, packet.dest_lo)}, {STORED(type, packet.source_port)}, {                           \
    STORED(type, packet.dest_port)                                                                    \
  }

}  // namespace strata
