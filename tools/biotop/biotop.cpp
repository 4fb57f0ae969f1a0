// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata biotop: which process keeps which disk busy.
#include "biotop/biotop.h"

#include <algorithm>

#include "base/text.h"
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

constexpr Option kOptions[] = {
    kDiskOption,
    {.name = "files", .help = "a row for each file that the I/O was of, too", .constant = "by_file"},
};

using Entry = biotop_entry;

// The queue of a stacked disk is not known.
std::optional<uint64_t> of_queue(const Entry &e, uint64_t ns) { return if_known(e.key.io.stacked == 0, ns); }

uint64_t average(const Entry &e, uint64_t ns) { return ns / std::max<uint64_t>(1, e.value.ios); }

constexpr Field kFields[] = {
    INTERVAL_STORED(Entry),
    comm_column(
        {STORED_AS("key.comm", Entry, key.io.comm), .width = -12, .help = "name of the task that caused the I/O"}),
    pid_column({STORED_AS("key.tgid", Entry, key.io.tgid),
                SHOWN_IF([](const Entry &e) { return e.key.io.by != BY_UNKNOWN; }), .width = 6, .help = "its process"}),
    {STORED_AS("key.by", Entry, key.io.by), COMPUTED(by_text), .key = "by", .title = "BY", .width = -7,
     .help = "what the task did: issued the I/O, dirtied the pages, or unknown"},
    {STORED_AS("key.dev", Entry, key.io.dev),
     COMPUTED([](const Entry &e, Resolver &resolver) { return resolver.disk(e.key.io.dev); }), .key = "disk",
     .title = "DISK", .width = -7, .help = "the whole disk, also a stacked one"},
    {STORED_AS("key.operation", Entry, key.io.operation), COMPUTED(request_operation), .key = "operation",
     .title = "OP", .width = -7, .help = "read, write, flush, discard, ..."},
    {STORED_AS("value.ios", Entry, value.ios), .key = "ios", .title = "I/O", .width = 7, .help = "how many"},
    {STORED_AS("value.bytes", Entry, value.bytes), .key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes,
     .width = 7, .help = "all of them"},
    {COMPUTED([](const Entry &e) { return of_queue(e, average(e, e.value.queue_ns)); }), .key = "queue_avg_ns",
     .title = "QUEUE", .unit = Unit::kNs, .width = 6, .help = "until the driver got one, on average"},
    {COMPUTED([](const Entry &e) { return average(e, e.value.device_ns); }), .key = "device_avg_ns", .title = "DEVICE",
     .unit = Unit::kNs, .width = 6, .help = "from then on to its completion, on average"},
    {STORED_AS("value.queue_ns", Entry, value.queue_ns),
     COMPUTED([](const Entry &e) { return of_queue(e, e.value.queue_ns); }), .key = "queue_ns", .title = "QUEUES",
     .unit = Unit::kNs, .width = 6, .help = "all of them", .hidden = true, .adds_up = true},
    {STORED_AS("value.device_ns", Entry, value.device_ns), .key = "device_ns", .title = "DEVICES", .unit = Unit::kNs,
     .width = 7, .help = "all of them; more than the interval where several were under way at once", .hidden = true},
    {STORED_AS("value.errors", Entry, value.errors), .key = "errors", .title = "ERRORS", .width = 6,
     .help = "how many ended with an error", .hidden = true},
    {STORED_AS("key.stacked", Entry, key.io.stacked), COMPUTED([](const Entry &e) { return e.key.io.stacked != 0; }),
     .key = "stacked", .title = "STACKED", .width = -7, .help = "is the disk made of others?", .hidden = true},
    {STORED_AS("key.inode", Entry, key.inode), .optional = true, .key = "inode", .title = "INODE", .width = 8,
     .help = "of the file", .hidden = true, .with = "files"},
    {STORED_AS("key.file", Entry, key.file), COMPUTED([](const Entry &e, RowWriter &out) {
       write_io_file(chars(e.key.file), e.key.file_flags, e.key.file_flags, out);
     }),
     .key = "file", .title = "FILE", .help = "its name, (metadata) or (device); empty: not known", .with = "files"},
    {STORED_AS("key.file_flags", Entry, key.file_flags)},
};
constexpr RecordType kIos = record_type<Entry>("ios", kFields);

constexpr TableSpec kFiles = table_spec<Entry>(kIos, "files", "size_bytes", kBlockIoLosses);
constexpr View kViews[] = {
    {.name = "the table", .shape = in_map(kFiles, "ios", sizeof(biotop_key))},
    {.option = "files", .name = "the table of --files", .shape = kFiles},
};

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
