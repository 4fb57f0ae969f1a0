// The rows of strata biotop, and the entries that they are made from.
#pragma once

#include "base/text.h"
#include "biotop/biotop.h"
#include "kern/request.h"
#include "lib/block/io_wire.h"
#include "render/sink.h"
#include "run/names.h"
#include "run/table.h"
#include "subsys/block_io.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "comm", .title = "COMM", .width = -12, .help = "name of the task that caused the I/O"},
    {.key = "tgid", .title = "PID", .width = 6, .help = "its process"},
    {.key = "by",
     .title = "BY",
     .width = -7,
     .help = "what the task did: issued the I/O, dirtied the pages, or unknown"},
    {.key = "disk",
     .title = "DISK",
     .width = -7,
     .help = "the whole disk; a stacked one has rows besides those of its disks"},
    {.key = "operation", .title = "OP", .width = -7, .help = "read, write, flush, discard, ..."},
    {.key = "ios", .title = "I/O", .width = 7, .help = "how many"},
    {.key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7, .help = "all of them"},
    {.key = "queue_avg_ns",
     .title = "QUEUE",
     .unit = Unit::kNs,
     .width = 6,
     .help = "until the driver got one, on average"},
    {.key = "device_avg_ns",
     .title = "DEVICE",
     .unit = Unit::kNs,
     .width = 6,
     .help = "from then on to its completion, on average"},
    {.key = "queue_ns", .title = "QUEUES", .unit = Unit::kNs, .width = 6, .help = "all of them", .by_default = false},
    {.key = "device_ns",
     .title = "DEVICES",
     .unit = Unit::kNs,
     .width = 7,
     .help = "all of them; more than the interval where several were under way at once",
     .by_default = false},
    {.key = "errors", .title = "ERRORS", .width = 6, .help = "how many ended with an error", .by_default = false},
    {.key = "stacked", .title = "STACKED", .width = -7, .help = "is the disk made of others?", .by_default = false},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(biotop_entry, from_ns),        WIRE_NUMBER(biotop_entry, to_ns),
    WIRE_NUMBER(biotop_entry, value.ios),      WIRE_NUMBER(biotop_entry, value.bytes),
    WIRE_NUMBER(biotop_entry, value.queue_ns), WIRE_NUMBER(biotop_entry, value.device_ns),
    WIRE_NUMBER(biotop_entry, value.errors),   WIRE_NUMBER(biotop_entry, key.tgid),
    WIRE_NUMBER(biotop_entry, key.by),         WIRE_NUMBER(biotop_entry, key.dev),
    WIRE_NUMBER(biotop_entry, key.operation),  WIRE_NUMBER(biotop_entry, key.stacked),
    WIRE_TEXT(biotop_entry, key.comm),         WIRE_NUMBER(biotop_entry, zero),
};
constexpr Wire kWire = {"ios", sizeof(biotop_entry), kFields};

Row decode(const biotop_entry &entry, Names &names) {
  const auto &[ios, bytes, queue_ns, device_ns, errors] = entry.value;
  const uint64_t divisor = ios == 0 ? 1 : ios;
  const biotop_key &key = entry.key;
  const bool queues = key.stacked == 0;
  return {cstr(key.comm),
          key.by == BY_UNKNOWN ? Value() : Value(uint64_t{key.tgid}),
          by_text(key.by),
          names.disk(key.dev),
          request_operation(key.operation),
          uint64_t{ios},
          uint64_t{bytes},
          queues ? Value(queue_ns / divisor) : Value(),
          uint64_t{device_ns / divisor},
          queues ? Value(uint64_t{queue_ns}) : Value(),
          uint64_t{device_ns},
          uint64_t{errors},
          key.stacked != 0};
}

const Tops kTops = tops_of<biotop_entry, decode>(kWire, "size_bytes", kBlockIoLosses);

}  // namespace
}  // namespace strata
