// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata biosnoop: each block I/O with the process that caused it.
#include "base/text.h"
#include "biosnoop.manual.h"
#include "biosnoop.skel.h"
#include "lib/block/io_wire.h"
#include "model/columns.h"
#include "run/resolver.h"
#include "run/tool.h"
#include "subsys/block_io.h"
#include "subsys/cgroup_columns.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kDiskOption,
    min_option({.name = "min-latency", .help = "only I/O that took so long in all (10ms)"}),
    {.name = "failed", .short_name = 'x', .help = "only I/O that ended with an error", .constant = "failed_only"},
};

using Io = block_io;

bool known(const Io &io) { return io.by != BY_UNKNOWN; }

std::optional<uint64_t> between(uint64_t from_ns, uint64_t to_ns) {
  return if_known(from_ns != 0, to_ns > from_ns ? to_ns - from_ns : 0);
}

uint64_t cgroup_of(const Io &io) { return known(io) ? io.cgroup : 0; }

constexpr Field kFields[] = {
    time_column({STORED(Io, ts_ns), .help = "when it was done"}),
    comm_column({STORED(Io, comm), .width = -11, .help = "name of the task that caused it"}),
    pid_column({STORED(Io, tgid), SHOWN_IF(known), .width = 6, .help = "its process"}),
    {STORED(Io, by), COMPUTED(by_text), .key = "by", .title = "BY", .width = -7,
     .help = "what the task did: issued it, dirtied its pages, or unknown", .hidden = true},
    {STORED(Io, dev), COMPUTED([](const Io &io, Resolver &resolver) { return resolver.disk(io.dev); }), .key = "disk",
     .title = "DISK", .width = -7, .help = "the whole disk; a stacked one has rows besides those of its disks"},
    {STORED(Io, bytes), .key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7, .help = "its size"},
    {STORED(Io, start_ns),
     COMPUTED([](const Io &io) { return between(io.issue_ns != 0 ? io.start_ns : 0, io.issue_ns); }), .key = "queue_ns",
     .title = "QUEUE", .unit = Unit::kNs, .width = 6, .help = "until the driver got it"},
    // A stacked device, and a flush without data, have only this time.
    {STORED(Io, issue_ns),
     COMPUTED([](const Io &io) { return between(io.issue_ns != 0 ? io.issue_ns : io.start_ns, io.ts_ns); }),
     .key = "device_ns", .title = "DEVICE", .unit = Unit::kNs, .width = 6, .help = "from then on to the completion"},
    {COMPUTED([](const Io &io, Resolver &resolver) { return io_text(io, other_disk(io, resolver)); }), .key = "io",
     .title = "I/O", .width = -5,
     .help = "R read, W write, D discard, F flush or FUA, A readahead, S sync, M metadata, N other; stacking; error"},
    {STORED(Io, file),
     COMPUTED([](const Io &io, RowWriter &out) { write_io_file(chars(io.file), io.flags, io.opf, out); }),
     .key = "file", .title = "FILE", .help = "its name; (metadata), (device): the disk itself; empty: not known"},
    {STORED(Io, inode), .optional = true, .key = "inode", .title = "INODE", .width = 8, .help = "of the file",
     .hidden = true},
    {STORED(Io, sector), .key = "sector", .title = "SECTOR", .unit = Unit::kSector, .width = 10,
     .help = "where it begins on the disk", .hidden = true},
    {STORED(Io, opf), COMPUTED([](const Io &io) { return io_operation(io.opf, io.bytes); }), .key = "operation",
     .title = "OP", .width = -7, .help = "read, write, flush, discard, ...", .hidden = true},
    {COMPUTED([](const Io &io) { return io_flags(io.opf, io.bytes); }), .key = "flags", .title = "FLAGS", .width = -10,
     .help = "sync, meta, fua, readahead, ...", .hidden = true},
    {STORED(Io, result), COMPUTED(io_error), .key = "error", .title = "ERROR", .width = -7,
     .help = "empty if it succeeded", .hidden = true},
    {STORED(Io, flags), COMPUTED(io_pattern), .key = "pattern", .title = "PATTERN", .width = -10,
     .help = "sequential: it begins where the disk's last one ended; or random", .hidden = true},
    {COMPUTED([](const Io &io) { return (io.flags & IO_STACKED) != 0; }), .key = "stacked", .title = "STACKED",
     .width = -7, .help = "is the disk made of others?", .hidden = true},
    {STORED(Io, other_dev), COMPUTED(other_disk), .key = "other_disk", .title = "OTHER", .width = -7,
     .help = "of a stacked disk where it went; else the stacked one it is for", .hidden = true},
    tid_column({STORED(Io, tid), SHOWN_IF(known), .width = 6, .help = "the thread that caused it", .hidden = true}),
    {STORED(Io, issuer),
     COMPUTED([](const Io &io, RowWriter &out) { out.comm(io.by == BY_DIRTIED ? io.issuer : io.comm); }),
     .key = "issuer", .title = "ISSUER", .width = -12, .whole = kNameOfTask, .help = "the submitter", .hidden = true},
    {STORED(Io, issuer_tgid), SHOWN_IF(known), .key = "issuer_tgid", .title = "IPID", .width = 6,
     .whole = kNumberOfTask, .help = "its process", .hidden = true},
    cgroup_column<Io, cgroup_of>(
        {STORED(Io, cgroup), .width = -20, .help = "of the task that caused it", .hidden = true}),
    OWNER_COLUMNS(Io, cgroup_of),
};
constexpr RecordType kIo = record_type<Io>("io", kFields);
constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kIo, .losses = kBlockIoLosses}}};

}  // namespace

extern const Tool tool_biosnoop = {
    .name = "biosnoop",
    .subsystem = Subsystem::kDisks,
    .summary = "show each block I/O with the process that caused it",
    .manual = kManual,
    .operands = kDurationOperands,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = biosnoop_bpf::elf_bytes, .hooks = kBlockIoHooks, .prepare = prepare_block_io},
    .stacks = event_stacks(biosnoop_stacks_bpf__elf_bytes),
    .trace = trace_block_io,
};

}  // namespace strata
