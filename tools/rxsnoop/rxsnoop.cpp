// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata rxsnoop: each packet that a network device hands to the kernel, or how many, or how large.
#include "rxsnoop/rxsnoop.h"

#include <algorithm>
#include <cmath>

#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "model/columns.h"
#include "run/session.h"
#include "run/tool.h"
#include "rxsnoop.manual.h"
#include "rxsnoop.skel.h"
#include "subsys/packet.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    {.name = "rate", .help = "instead, packets and bytes by device, protocol"},
    {.name = "histogram", .short_name = 'H', .help = "instead, how the sizes of packets are distributed"},
    {.name = "by-device", .help = "with --histogram: one for each device", .constant = "by_device"},
};
constexpr auto kOptions = joined(kOwnOptions, kPacketOptions);

Packet received_packet(const rx_event &e) { return packet_of(e, Direction::kInbound); }

constexpr Field kPacketFields[] = {
    time_column({STORED(rx_event, ts_ns), .help = "when the kernel got it"}),
    dev_column({STORED(rx_event, packet.dev),
                COMPUTED([](const rx_event &e) { return device_value(e.packet.dev, e.packet.ifindex); }),
                .help = "the device that it came by"}),
    ethertype_column(
        {STORED(rx_event, packet.ethertype), .help = "what it carries, behind a VLAN's tag", .hidden = true}),
    ip_protocol_column({STORED(rx_event, packet.protocol)}),
    source_column<rx_event>("address and port that it comes from"),
    destination_column<rx_event>("that it goes to"),
    PACKET_ENDS_STORED(rx_event, packet),
    {STORED(rx_event, packet.bytes), .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .width = 7,
     .help = "from the network header on; of --rate the sum"},
    {STORED(rx_event, segments), .key = "segments", .title = "SEGS", .width = 4,
     .help = "packets of the wire that it is made of (GRO)", .hidden = true},
    {STORED(rx_event, packet.info), COMPUTED([](const rx_event &e) { return info_value(e.packet); }), .key = "info",
     .title = "INFO", .width = -12, .help = "flags of TCP, type of ICMP", .hidden = true},
    {STORED(rx_event, packet.known), COMPUTED([](const rx_event &e) { return known_text(e.packet); }), .key = "notes",
     .title = "NOTES", .help = "its VLAN; fragment; whether headers are missing", .hidden = true},
    {STORED(rx_event, packet.vlan)},
    ifindex_column({STORED(rx_event, packet.ifindex)}),
    netns_column(
        {STORED(rx_event, packet.netns), .help = "inode of its network namespace, as lsns shows it", .hidden = true}),
    {STORED(rx_event, cpu), .key = "cpu", .title = "CPU", .width = 3, .help = "that it came to", .hidden = true},
    {STORED(rx_event, header_bytes)},
    {STORED(rx_event, headers)},
};
constexpr RecordType kPacket = packets_of<received_packet>(record_type<rx_event>("packet", kPacketFields));

uint64_t per_second(const rx_entry &e, uint64_t number) {
  const double seconds = static_cast<double>(std::max<uint64_t>(1, e.to_ns - e.from_ns)) / 1e9;
  return static_cast<uint64_t>(std::round(static_cast<double>(number) / seconds));
}

constexpr Field kRateFields[] = {
    INTERVAL_STORED(rx_entry),
    dev_column({STORED(rx_entry, key.dev),
                COMPUTED([](const rx_entry &e) { return device_value(e.key.dev, e.key.ifindex); }),
                .help = "the device that it came by"}),
    ethertype_column({STORED(rx_entry, key.ethertype), .help = "what it carries, behind a VLAN's tag"}),
    ip_protocol_column({STORED(rx_entry, key.protocol)}),
    ifindex_column({STORED(rx_entry, key.ifindex)}),
    netns_column(
        {STORED(rx_entry, key.netns), .help = "inode of its network namespace, as lsns shows it", .hidden = true}),
    {STORED(rx_entry, value.packets), .key = "packets", .title = "PACKETS", .width = 9,
     .help = "with --rate: how many"},
    {COMPUTED([](const rx_entry &e) { return per_second(e, e.value.packets); }), .key = "packets_per_second",
     .title = "PACKETS/s", .width = 10, .help = "with --rate"},
    {STORED(rx_entry, value.segments), .key = "segments", .title = "SEGS", .width = 9,
     .help = "with --rate: packets of the wire (GRO)"},
    {STORED(rx_entry, value.bytes), .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .width = 7,
     .help = "from the network header on; of --rate the sum"},
    {COMPUTED([](const rx_entry &e) { return per_second(e, e.value.bytes); }), .key = "bytes_per_second",
     .title = "BYTES/s", .unit = Unit::kBytes, .width = 8, .help = "with --rate"},
};
constexpr RecordType kRate = record_type<rx_entry>("packets", kRateFields);

constexpr Field kSizeFields[] = {
    SLOT_STORED(rx_size_entry),
    {COMPUTED(slot_values), .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes,
     .help = "from the network header on; of --rate the sum"},
    {STORED(rx_size_entry, key.dev),
     COMPUTED([](const rx_size_entry &e) { return device_value(e.key.dev, e.key.ifindex); }), .key = "dev",
     .title = "DEV", .help = "the device that it came by", .with = "by-device"},
    {STORED(rx_size_entry, key.netns), SHOWN_IF([](const rx_size_entry &e) { return e.key.ifindex != 0; }),
     .key = "netns", .title = "NETNS", .help = "inode of its network namespace, as lsns shows it", .with = "by-device"},
    {STORED(rx_size_entry, key.ifindex)},
    {STORED(rx_size_entry, key.zero)},
    {STORED(rx_size_entry, key.slot)},
};
constexpr RecordType kSize = record_type<rx_size_entry>("size", kSizeFields);

constexpr View kViews[] = {
    {.name = "the list of packets", .without = "by-device", .shape = EventSpec{.record = &kPacket}},
    {.option = "rate",
     .name = "--rate",
     .without = "by-device",
     .shape = table_spec<rx_entry>(kRate, "packets", "packets")},
    {.option = "histogram", .name = "--histogram", .shape = histogram_spec<rx_size_entry>(kSize, "sizes", "sizes_by")},
};

constexpr Hook kHooks[] = {{.name = "netif_receive_skb"}};

int trace(const Values &values, Session &session, Object &object) {
  const bool rate = session.shows("rate"), sizes = session.shows("histogram"), by_device = values.given("by-device");
  choose_packets(values, object);
  object.set_constant("packet_headers", session.out().wants_headers());
  object.set_constant("view", uint32_t{rate ? RX_RATE : sizes ? RX_SIZES : RX_LIST});
  object.set_constant("plain", sizes && !by_device && !session.filters_tasks() && !asks_for_packets(values));
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_rxsnoop = {
    .name = "rxsnoop",
    .subsystem = Subsystem::kNetwork,
    .summary = "show each packet that is received, or count or measure them",
    .manual = kManual,
    .options = kOptions,
    .common_options = kTracing | kHasBuffer,
    .views = kViews,
    .programs = {.elf = rxsnoop_bpf::elf_bytes, .hooks = kHooks},
    .stacks = kernel_event_stacks(rxsnoop_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
