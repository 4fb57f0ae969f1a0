// The rows of strata tcptop, and the entries that they are made from.
#pragma once

#include "base/text.h"
#include "run/names.h"
#include "run/table.h"
#include "subsys/sock.h"
#include "tcptop/tcptop.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "tgid", .title = "PID", .width = 6, .help = "the process that has the session; empty: not known"},
    {.key = "comm", .title = "COMM", .width = -12, .help = "its name"},
    {.key = "local", .title = "LOCAL", .width = -17, .help = "address and port of this end; with -P empty"},
    {.key = "remote", .title = "REMOTE", .width = -18, .help = "of the other one"},
    {.key = "tx_bytes", .title = "SENT", .unit = Unit::kBytes, .width = 7, .help = "data sent, each byte once"},
    {.key = "rx_bytes", .title = "GOT", .unit = Unit::kBytes, .width = 7, .help = "data received"},
    {.key = "retransmits", .title = "RTX", .width = 4, .help = "segments that were sent again"},
    {.key = "bytes",
     .title = "BYTES",
     .unit = Unit::kBytes,
     .width = 7,
     .help = "both, the order of the rows",
     .by_default = false},
    kLocalAddressColumn,
    kLocalPortColumn,
    kRemoteAddressColumn,
    kRemotePortColumn,
    {.key = "uid", .title = "UID", .width = 5, .help = "the user whose socket it is", .by_default = false},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(tcptop_entry, from_ns),
    WIRE_NUMBER(tcptop_entry, to_ns),
    {"tx_bytes", offsetof(tcptop_entry, value.tx_bytes), 8},
    {"rx_bytes", offsetof(tcptop_entry, value.rx_bytes), 8},
    {"again", offsetof(tcptop_entry, value.again), 8},
    WIRE_ENDS(tcptop_entry, key.ends),
    {"tgid", offsetof(tcptop_entry, key.tgid), 4},
    {"uid", offsetof(tcptop_entry, key.uid), 4},
    {"comm", offsetof(tcptop_entry, key.comm), 16, true},
};
constexpr Wire kWire = {"session", sizeof(tcptop_entry), kFields};

Row decode(const tcptop_entry &entry, Names &) {
  const sock_ends &ends = entry.key.ends;
  const bool known = entry.key.tgid != 0, one = ends.local_port != 0;
  const auto if_one = [&](auto &&value) { return one ? Value(std::move(value)) : Value(); };
  return {known ? Value(uint64_t{entry.key.tgid}) : Value(),
          known ? Value(cstr(entry.key.comm)) : Value(),
          if_one(endpoint(ends.local_hi, ends.local_lo, ends.local_port)),
          if_one(endpoint(ends.remote_hi, ends.remote_lo, ends.remote_port)),
          uint64_t{entry.value.tx_bytes},
          uint64_t{entry.value.rx_bytes},
          uint64_t{entry.value.again},
          uint64_t{entry.value.tx_bytes + entry.value.rx_bytes},
          if_one(address(ends.local_hi, ends.local_lo)),
          if_one(uint64_t{ends.local_port}),
          if_one(address(ends.remote_hi, ends.remote_lo)),
          if_one(uint64_t{ends.remote_port}),
          uint64_t{entry.key.uid}};
}

const Tops kTops = tops_of<tcptop_entry, decode>(kWire, "bytes");

}  // namespace
}  // namespace strata
