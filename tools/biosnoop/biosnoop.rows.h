// The rows of strata biosnoop, and the records that they are made from.
#pragma once

#include "base/text.h"
#include "lib/block/io_wire.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/names.h"
#include "subsys/block_io.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when it was done"},
    {.key = "comm", .title = "COMM", .width = -12, .help = "name of the task that caused it"},
    {.key = "tgid", .title = "PID", .width = 6, .help = "its process"},
    {.key = "by", .title = "BY", .width = -7, .help = "what the task did: issued it, dirtied its pages, or unknown"},
    {.key = "disk",
     .title = "DISK",
     .width = -7,
     .help = "the whole disk; a stacked one has rows besides those of its disks"},
    {.key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7, .help = "its size"},
    {.key = "queue_ns", .title = "QUEUE", .unit = Unit::kNs, .width = 6, .help = "until the driver got it"},
    {.key = "device_ns", .title = "DEVICE", .unit = Unit::kNs, .width = 6, .help = "from then on to the completion"},
    {.key = "io", .title = "I/O", .width = -5, .help = "operation, flags, stacking, error"},
    {.key = "sector",
     .title = "SECTOR",
     .unit = Unit::kSector,
     .width = 10,
     .help = "where it begins on the disk",
     .by_default = false},
    {.key = "operation", .title = "OP", .width = -7, .help = "read, write, flush, discard, ...", .by_default = false},
    {.key = "flags", .title = "FLAGS", .width = -10, .help = "sync, meta, fua, readahead, ...", .by_default = false},
    {.key = "error", .title = "ERROR", .width = -7, .help = "empty if it succeeded", .by_default = false},
    {.key = "pattern",
     .title = "PATTERN",
     .width = -10,
     .help = "sequential: it begins where the disk's last one ended; or random",
     .by_default = false},
    {.key = "stacked", .title = "STACKED", .width = -7, .help = "is the disk made of others?", .by_default = false},
    {.key = "other_disk",
     .title = "OTHER",
     .width = -7,
     .help = "of a stacked disk where it went; else the stacked one it is for",
     .by_default = false},
    {.key = "tid", .title = "TID", .width = 6, .help = "the thread that caused it", .by_default = false},
    {.key = "issuer", .title = "ISSUER", .width = -12, .help = "the task that submitted it", .by_default = false},
    {.key = "issuer_tgid", .title = "IPID", .width = 6, .help = "its process", .by_default = false},
    {.key = "cgroup", .title = "CGROUP", .width = -20, .help = "of the task that caused it", .by_default = false},
};

void give(const block_io &io, Cells &cells, Names &names) {
  const auto other = [&] { return io.other_dev == 0 ? std::string() : names.disk(io.other_dev); };
  const bool known = io.by != BY_UNKNOWN, stacked = io.flags & IO_STACKED;
  cells.number(io.ts_ns);
  cells.comm(io.comm);
  cells.number_if(known, io.tgid);
  cells.made([&] { return by_text(io.by); });
  cells.made([&] { return names.disk(io.dev); });
  cells.number(io.bytes);
  IoTimes times = io_times(io.start_ns, io.issue_ns, io.ts_ns);
  cells.value(std::move(times.queue));
  cells.value(std::move(times.device));
  cells.made([&] { return io_text(io, other()); });
  if (!cells.any_wanted()) return;
  cells.number(io.sector);
  cells.made([&] { return io_operation(io.opf, io.bytes); });
  cells.made([&] { return io_flags(io.opf, io.bytes); });
  cells.made([&] { return io_error(io.result); });
  cells.made([&] { return io_pattern(io.flags); });
  cells.value(stacked);
  cells.made(other);
  cells.number_if(known, io.tid);
  cells.comm(io.by == BY_DIRTIED ? io.issuer : io.comm);
  cells.number_if(known, io.issuer_tgid);
  cells.made_if(known, [&] { return names.cgroup(io.cgroup); });
}

const Events kEvents = events_of<block_io, give>(kBlockIoWire, kBlockIoLosses);

}  // namespace
}  // namespace strata
