// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata biotop: which process keeps which disk busy.
#include "biotop/biotop.h"

#include <algorithm>

#include "biotop.manual.h"
#include "biotop.skel.h"
#include "kern/request.h"
#include "lib/block/io_wire.h"
#include "model/columns.h"
#include "run/resolver.h"
#include "run/tool.h"
#include "subsys/block_io.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {kDiskOption};

using Entry = biotop_entry;

// The queue of a stacked disk is not known.
std::optional<uint64_t> of_queue(const Entry &e, uint64_t ns) { return if_known(e.key.stacked == 0, ns); }

uint64_t average(const Entry &e, uint64_t ns) { return ns / std::max<uint64_t>(1, e.value.ios); }

constexpr Field kFields[] = {
    INTERVAL_STORED(Entry),
    comm_column({STORED_AS("key.comm", Entry, key.comm), .width = -12, .help = "name of the task that caused the I/O"}),
    pid_column({STORED_AS("key.tgid", Entry, key.tgid), SHOWN_IF([](const Entry &e) { return e.key.by != BY_UNKNOWN; }),
                .width = 6, .help = "its process"}),
    {STORED_AS("key.by", Entry, key.by), COMPUTED(by_text), .key = "by", .title = "BY", .width = -7,
     .help = "what the task did: issued the I/O, dirtied the pages, or unknown"},
    {STORED_AS("key.dev", Entry, key.dev),
     COMPUTED([](const Entry &e, Resolver &resolver) { return resolver.disk(e.key.dev); }), .key = "disk",
     .title = "DISK", .width = -7, .help = "the whole disk; a stacked one has rows besides those of its disks"},
    {STORED_AS("key.operation", Entry, key.operation), COMPUTED(request_operation), .key = "operation", .title = "OP",
     .width = -7, .help = "read, write, flush, discard, ..."},
    {STORED_AS("value.ios", Entry, value.ios), .key = "ios", .title = "I/O", .width = 7, .help = "how many"},
    {STORED_AS("value.bytes", Entry, value.bytes), .key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes,
     .width = 7, .help = "all of them"},
    {COMPUTED([](const Entry &e) { return of_queue(e, average(e, e.value.queue_ns)); }), .key = "queue_avg_ns",
     .title = "QUEUE", .unit = Unit::kNs, .width = 6, .help = "until the driver got one, on average"},
    {COMPUTED([](const Entry &e) { return average(e, e.value.device_ns); }), .key = "device_avg_ns", .title = "DEVICE",
     .unit = Unit::kNs, .width = 6, .help = "from then on to its completion, on average"},
    {STORED_AS("value.queue_ns", Entry, value.queue_ns),
     COMPUTED([](const Entry &e) { return of_queue(e, e.value.queue_ns); }), .key = "queue_ns", .title = "QUEUES",
     .unit = Unit::kNs, .width = 6, .help = "all of them", .hidden = true},
    {STORED_AS("value.device_ns", Entry, value.device_ns), .key = "device_ns", .title = "DEVICES", .unit = Unit::kNs,
     .width = 7, .help = "all of them; more than the interval where several were under way at once", .hidden = true},
    {STORED_AS("value.errors", Entry, value.errors), .key = "errors", .title = "ERRORS", .width = 6,
     .help = "how many ended with an error", .hidden = true},
    {STORED_AS("key.stacked", Entry, key.stacked), COMPUTED([](const Entry &e) { return e.key.stacked != 0; }),
     .key = "stacked", .title = "STACKED", .width = -7, .help = "is the disk made of others?", .hidden = true},
    {STORED(Entry, zero)},
};
constexpr RecordType kIos = record_type<Entry>("ios", kFields);
constexpr View kViews[] = {
    {.name = "the table", .shape = table_spec<Entry>(kIos, "ios", "size_bytes", kBlockIoLosses)}};

}  // namespace

extern const Tool tool_biotop = {
    .name = "biotop",
    .subsystem = Subsystem::kDisks,
    .summary = "show which process keeps which disk busy",
    .manual = kManual,
    .options = kOptions,
    .interval = "1",
    .views = kViews,
    .programs = {.elf = biotop_bpf::elf_bytes, .hooks = kBlockIoHooks, .prepare = prepare_block_io},
    .trace = trace_block_io,
};

}  // namespace strata
