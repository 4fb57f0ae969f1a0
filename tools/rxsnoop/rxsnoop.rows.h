// The tables of strata rxsnoop: options, columns, records, and what becomes of them. Packets are listed or counted, or
// their sizes are.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "rec/recording.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/histogram.h"
#include "run/intervals.h"
#include "run/names.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "rxsnoop/rxsnoop.h"
#include "subsys/packet.h"

namespace strata {

inline constexpr Option kRxOptions[] = {
    {.name = "rate", .help = "instead, packets and bytes by device, protocol"},
    {.name = "histogram", .letter = 'H', .help = "instead, how the sizes of packets are distributed"},
    {.name = "by-device", .help = "with --histogram: one for each device"},
    kDevOption,
    kNetnsOption,
    kProtocolOption,
    kPortOption,
    kAddressOption,
    kPacketIpv4Option,
    kPacketIpv6Option,
};

inline constexpr Column
    kRxDev = {.key = "dev", .title = "DEV", .width = -6, .help = "the device that it came by"},
    kRxEther = {.key = "ethertype", .title = "ETHER", .width = -5, .help = "what it carries, behind a VLAN's tag"},
    kRxProto = {.key = "protocol", .title = "PROTO", .width = -5, .help = "of IP"},
    kRxSize = {.key = "size_bytes",
               .title = "SIZE",
               .unit = Unit::kBytes,
               .width = 7,
               .help = "from the network header on; of --rate the sum"},
    kRxSegments = {.key = "segments",
                   .title = "SEGS",
                   .width = 4,
                   .help = "packets of the wire that it is made of (GRO)"},
    kRxIfindex = {.key = "ifindex", .title = "IF", .width = 4, .help = "number of the device", .by_default = false},
    kRxNetns = {.key = "netns",
                .title = "NETNS",
                .width = 10,
                .help = "inode of its network namespace, as lsns shows it",
                .by_default = false};

inline constexpr Column kRxListed[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when the kernel got it"},
    kRxDev,
    kRxEther,
    kRxProto,
    {.key = "source", .title = "SOURCE", .width = -15, .help = "address and port that it comes from"},
    {.key = "destination", .title = "DESTINATION", .width = -15, .help = "that it goes to"},
    kRxSize,
    kRxSegments,
    {.key = "info", .title = "INFO", .width = -12, .help = "flags of TCP, type of ICMP", .by_default = false},
    {.key = "notes", .title = "NOTES", .help = "its VLAN; fragment; whether headers are missing", .by_default = false},
    kRxIfindex,
    kRxNetns,
    {.key = "cpu", .title = "CPU", .width = 3, .help = "that it came to", .by_default = false},
};

inline constexpr Column kRxCounted[] = {
    kRxDev,
    kRxEther,
    kRxProto,
    kRxIfindex,
    kRxNetns,
    {.key = "packets", .title = "PACKETS", .width = 9, .help = "with --rate: how many"},
    {.key = "packets_per_second", .title = "PACKETS/s", .width = 10, .help = "with --rate"},
    {.key = "segments", .title = "SEGS", .width = 9, .help = "with --rate: packets of the wire (GRO)"},
    kRxSize,
    {.key = "bytes_per_second", .title = "BYTES/s", .unit = Unit::kBytes, .width = 8, .help = "with --rate"},
};

// Of all, for the help.
inline constexpr Column kRxColumns[] = {
    kRxListed[0],
    kRxDev,
    kRxEther,
    kRxProto,
    kRxListed[4],
    kRxListed[5],
    kRxSize,
    kRxSegments,
    kRxListed[8],
    kRxListed[9],
    kRxIfindex,
    kRxNetns,
    kRxListed[12],
    if_asked(kRxCounted[5]),
    if_asked(kRxCounted[6]),
    if_asked(kRxCounted[9]),
};

inline constexpr WireField kRxFields[] = {
    WIRE_NUMBER(rx_event, ts_ns),
    WIRE_PACKET(rx_event, packet),
    WIRE_NUMBER(rx_event, segments),
    WIRE_NUMBER(rx_event, cpu),
};
inline constexpr Wire kRxWire = {"packet", sizeof(rx_event), kRxFields};

inline constexpr WireField kRxCountFields[] = {
    WIRE_NUMBER(rx_entry, from_ns),
    WIRE_NUMBER(rx_entry, to_ns),
    {"packets", offsetof(rx_entry, value.packets), 8},
    {"segments", offsetof(rx_entry, value.segments), 8},
    {"bytes", offsetof(rx_entry, value.bytes), 8},
    {"ethertype", offsetof(rx_entry, key.ethertype), 4},
    {"protocol", offsetof(rx_entry, key.protocol), 4},
    {"ifindex", offsetof(rx_entry, key.ifindex), 4},
    {"netns", offsetof(rx_entry, key.netns), 4},
    {"dev", offsetof(rx_entry, key.dev), 16, true},
};
inline constexpr Wire kRxCountWire = {"packets", sizeof(rx_entry), kRxCountFields};

inline constexpr WireField kRxSizeFields[] = {
    WIRE_NUMBER(rx_size_entry, from_ns),
    WIRE_NUMBER(rx_size_entry, to_ns),
    {"count", offsetof(rx_size_entry, value.count), 8},
    {"ifindex", offsetof(rx_size_entry, key.ifindex), 4},
    {"netns", offsetof(rx_size_entry, key.netns), 4},
    {"dev", offsetof(rx_size_entry, key.dev), 16, true},
    {"zero", offsetof(rx_size_entry, key.zero), 4},
    {"slot", offsetof(rx_size_entry, key.slot), 4},
};
inline constexpr Wire kRxSizeWire = {"size", sizeof(rx_size_entry), kRxSizeFields};

inline void give_packet(const rx_event &e, Cells &cells, Names &) {
  const packet &p = e.packet;
  cells.number(e.ts_ns);
  give_headers(p, cells);
  cells.number(p.bytes);
  cells.number(e.segments);
  cells.made([&] { return info_value(p); });
  cells.made([&] { return known_text(p); });
  cells.number(p.ifindex);
  cells.number(p.netns);
  cells.number(e.cpu);
}

inline Row rx_count_row(const rx_entry &e, Names &) {
  const auto &[packets, segments, bytes] = e.value;
  const double seconds = static_cast<double>(std::max<uint64_t>(1, e.to_ns - e.from_ns)) / 1e9;
  const auto per_second = [&](uint64_t n) { return static_cast<uint64_t>(static_cast<double>(n) / seconds + 0.5); };
  return {device_value(e.key.dev, e.key.ifindex),
          ethertype_value(e.key.ethertype),
          ip_protocol_value(e.key.protocol),
          uint64_t{e.key.ifindex},
          uint64_t{e.key.netns},
          uint64_t{packets},
          per_second(packets),
          uint64_t{segments},
          uint64_t{bytes},
          per_second(bytes)};
}

inline std::vector<Field> rx_size_keys(const void *entry, Names &) {
  const rx_size_key &key = static_cast<const rx_size_entry *>(entry)->key;
  return {{&kRxDev, device_value(key.dev, key.ifindex)}, {&kRxNetns, uint64_t{key.netns}}};
}

inline constexpr Events kRxEvents = events_of<rx_event, give_packet>(kRxWire);
inline constexpr Tops kRxTops = tops_of<rx_entry, rx_count_row>(kRxCountWire, "packets");
inline constexpr Histograms kRxSizes = [] {
  Histograms sizes = histograms_of<rx_size_entry>(kRxSizeWire, kRxSize, rx_size_keys);
  sizes.beside_tables = true;
  return sizes;
}();
inline Histograms rx_sizes(bool by_device) {
  if (by_device) return kRxSizes;
  Histograms alone = of_slots(kRxSizes);
  alone.keys = nullptr;
  return alone;
}

struct RxWay {
  uint32_t way = RX_LIST;
  bool by_device = false;
};

inline RxWay asked_rx_way(const Values &values) {
  const bool rate = values.given("rate"), sizes = values.given("histogram");
  if (rate && sizes) throw usage_error("--rate and --histogram exclude each other");
  if (!rate && !sizes) refuse(values, {"interval", "count"}, "is for --rate and --histogram");
  if (!rate) refuse(values, {"sort", "rows"}, "is for the table of --rate");
  if (!sizes) refuse(values, {"by-device"}, "is for --histogram");
  if (sizes) refuse(values, {"columns"}, "is not for --histogram");
  return {.way = static_cast<uint32_t>(rate    ? RX_RATE
                                       : sizes ? RX_SIZES
                                               : RX_LIST),
          .by_device = values.given("by-device")};
}

inline RxWay recorded_rx_way(const Recording &recording) {
  constexpr const Wire *kWires[] = {&kRxWire, &kRxCountWire, &kRxSizeWire};
  RxWay way;
  scan_records(recording, kWires, [&](const WireRecord &record) {
    if (record.wire == &kRxCountWire || record.wire == &kIntervalWire) way.way = RX_RATE;
    if (record.wire != &kRxSizeWire) return record.wire == &kRxWire || record.wire == &kRxCountWire;
    const auto *const size = reinterpret_cast<const rx_size_entry *>(record.bytes.data());
    way = {.way = RX_SIZES, .by_device = size->key.ifindex != 0};
    return size->value.count != 0;  // else it says that there was this interval
  });
  return way;
}

inline void show_packets(Session &session, const Tool &tool, RxWay way) {
  Tool shown = tool;
  shown.columns = kRxListed;
  if (way.way != RX_SIZES) shown.formats = kRowFormats;
  if (way.way == RX_LIST) shown.takes &= ~(kTakesInterval | kTakesTable);
  if (way.way == RX_RATE) shown.columns = kRxCounted;
  if (way.way == RX_SIZES) {
    shown.takes &= ~kTakesTable;
    shown.columns = {};
  }
  session.show(shown);
}

}  // namespace strata
