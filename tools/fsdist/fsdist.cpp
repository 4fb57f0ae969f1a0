// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata fsdist: how long reads, writes, opens, fsyncs and copies of files take.
#include "fsdist/fsdist.h"

#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "fsdist.manual.h"
#include "fsdist.skel.h"
#include "kern/file_system.h"
#include "lib/core/hist_slots.h"
#include "model/columns.h"
#include "run/tool.h"
#include "subsys/fs_calls.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kFsTypeOption,
    kFsOpOption,
    choice_option({.name = "by", .value = "type|process", .help = "a histogram for each file system or process"}),
    kFsViaOption,
};

using Entry = fsdist_entry;

constexpr Field kFields[] = {
    SLOT_STORED(Entry),
    {COMPUTED(slot_values), .key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs,
     .help = "how long the caller waited"},
    {STORED(Entry, key.slot), COMPUTED([](const Entry &e) { return fs_op_name(e.key.slot / HIST_SLOTS); }),
     .key = "operation", .title = "OP", .help = "read, write, open, fsync or copy"},
    {STORED(Entry, key.fs),
     COMPUTED([](const Entry &e) { return if_known(e.key.fs > 0, file_system_name(e.key.fs - 1)); }), .key = "fs",
     .title = "FS", .help = "the file system, with --by type", .with = "by=type"},
    {STORED(Entry, key.tgid), .optional = true, .key = "tgid", .title = "PID", .help = "the process, with --by process",
     .with = "by=process"},
    {STORED(Entry, key.comm), COMPUTED([](const Entry &e) { return if_known(e.key.tgid > 0, cstr(e.key.comm)); }),
     .key = "comm", .title = "COMM", .help = "its name", .with = "by=process"},
    {STORED(Entry, zero)},
};
constexpr RecordType kSlot = record_type<Entry>("slot", kFields);
constexpr View kViews[] = {
    {.name = "histograms", .shape = histogram_spec<Entry>(kSlot, "latencies", "latencies_by", kFsLosses)}};

int trace(const Values &values, Session &session, Object &object) {
  object.set_constant("by_type", values.text("by") == "type");
  object.set_constant("by_process", values.text("by") == "process");
  choose_fs_calls(object, values);
  return run_view(session, object);
}

constexpr Link kLinks[] = {{"ext4dist", "--type=ext4"}, {"xfsdist", "--type=xfs"},   {"btrfsdist", "--type=btrfs"},
                           {"nfsdist", "--type=nfs"},   {"f2fsdist", "--type=f2fs"}, {"fusedist", "--type=fuse"}};

}  // namespace

extern const Tool tool_fsdist = {
    .name = "fsdist",
    .subsystem = Subsystem::kFiles,
    .summary = "show how long reads, writes, opens, fsyncs and copies take",
    .manual = kManual,
    .options = kOptions,
    .links = kLinks,
    .views = kViews,
    .programs = {.elf = fsdist_bpf::elf_bytes, .hooks = kFsHooks, .prepare = choose_all_fs_calls},
    .trace = trace,
};

}  // namespace strata
