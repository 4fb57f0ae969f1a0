// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata fsslower: reads, writes, opens, fsyncs and copies of files that took long.
#include "fsslower/fsslower.h"

#include "bpf/object.h"
#include "bpf/page_shift.h"
#include "cli/values.h"
#include "fsslower.manual.h"
#include "fsslower.skel.h"
#include "kern/errno.h"
#include "kern/file_system.h"
#include "kern/path.h"
#include "model/columns.h"
#include "run/resolver.h"
#include "run/tool.h"
#include "subsys/fs_calls.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    min_option({.name = "min-latency",
                .help = "only calls that took at least TIME, with its unit (50us, 10ms, 2s); 0: all",
                .default_value = "10ms"}),
    kFsTypeOption,
    kFsOpOption,
    kFsViaOption,
    choice_option({.name = "file",
                   .value = "path|name",
                   .help = "the whole path, or the name alone, which costs less; path, but name with --min-latency 0"}),
};

constexpr Operand kOperands[] = {option_operand("MIN_MS", "min-latency", "as -m, in milliseconds", "ms")};
constexpr const char *kCacheWords[] = {"",     "hit",    "ahead",       "miss",  "wait",  "cached",
                                       "sync", "direct", "direct+sync", "async", "failed"};

using Event = fsslower_event;

constexpr Field kFields[] = {
    time_column({STORED(Event, ts_ns), .help = "when the call began"}),
    comm_column({STORED(Event, comm), .width = -10, .help = "name of the task"}),
    pid_column({STORED(Event, tgid), .help = "the process"}),
    tid_column({STORED(Event, tid), .help = "the thread", .hidden = true}),
    {STORED(Event, fs), COMPUTED(file_system_name), .key = "fs", .title = "FS", .width = -5, .help = "the file system",
     .hidden = true},
    {STORED(Event, dev), COMPUTED([](const Event &e, Resolver &resolver) { return resolver.disk(e.dev); }),
     .key = "disk", .title = "DISK", .width = -7, .help = "the file system's device", .hidden = true},
    {STORED(Event, op), COMPUTED(fs_op_name), .key = "operation", .title = "OP", .width = -5,
     .help = "read, write, open, fsync or copy"},
    {STORED(Event, result), COMPUTED([](const Event &e) {
       const bool moves = e.op <= FS_WRITE || e.op == FS_COPY;
       return if_known(e.result >= 0 && moves, static_cast<uint64_t>(e.result));
     }),
     .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .width = 7,
     .help = "bytes that were read, written or copied"},
    {STORED(Event, offset),
     COMPUTED([](const Event &e) { return if_known(e.offset >= 0, static_cast<uint64_t>(e.offset)); }),
     .key = "offset_bytes", .title = "OFFSET", .unit = Unit::kOffset, .width = 8, .help = "where in the file"},
    latency_column({STORED(Event, lat_ns), .help = "how long the caller waited"}),
    {STORED(Event, cache), COMPUTED([](const Event &e) {
       return if_known(e.cache != CACHE_NONE, e.cache < std::size(kCacheWords) ? kCacheWords[e.cache] : "?");
     }),
     .key = "cache", .title = "CACHE", .width = -6, .help = "who served it: see the manual"},
    {COMPUTED([](const Event &e) { return if_known(e.result < 0 && e.cache != CACHE_ASYNC, errno_name(e.result)); }),
     .key = "error", .title = "ERROR", .width = -6, .help = "why it failed, if it did", .hidden = true},
    {STORED_AS("path_bytes", Event, path.bytes)},
    {STORED_AS("path_whole", Event, path.whole)},
    {STORED_AS("path", Event, path.names),
     COMPUTED([](const Event &e) { return path_of(e.path).substr(e.path.whole == NAME_ONLY ? 1 : 0); }), .key = "file",
     .title = "FILE", .help = "its path; ... for directories that are missing"},
};
constexpr RecordType kCall = record_type<Event>("call", kFields);
constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kCall, .losses = kFsLosses}}};

int trace(const Values &values, Session &session, Object &object) {
  const bool all = values.duration_ns("min-latency") == 0;
  object.set_constant("whole_path", values.given("file") ? values.text("file") == "path" : !all);
  set_page_shift(object);
  choose_fs_calls(object, values);
  return run_view(session, object);
}

constexpr Link kLinks[] = {{"ext4slower", "--type=ext4"},   {"xfsslower", "--type=xfs"},
                           {"btrfsslower", "--type=btrfs"}, {"nfsslower", "--type=nfs"},
                           {"f2fsslower", "--type=f2fs"},   {"fuseslower", "--type=fuse"}};

}  // namespace

extern const Tool tool_fsslower = {
    .name = "fsslower",
    .subsystem = Subsystem::kFiles,
    .summary = "show slow reads, writes, opens, fsyncs and copies of files",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .links = kLinks,
    .views = kViews,
    .programs = {.elf = fsslower_bpf::elf_bytes, .hooks = kFsHooks, .prepare = choose_all_fs_calls},
    .stacks = event_stacks(fsslower_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
