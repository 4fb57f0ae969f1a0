// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata cachestat: how many of the pages that were read the page cache had.
#include "cachestat/cachestat.h"

#include "base/text.h"
#include "bpf/object.h"
#include "bpf/page_shift.h"
#include "cachestat.manual.h"
#include "cachestat.skel.h"
#include "cli/values.h"
#include "kern/meminfo.h"
#include "lib/core/count_shards.h"
#include "model/columns.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    choice_option({.name = "by", .value = "process|file", .help = "a table of processes or files, by what they read"})};

using Entry = cachestat_entry;

bool of_process(const Entry &e) { return e.key.tgid != 0; }
bool of_file(const Entry &e) { return !of_process(e) && e.key.ino != 0; }
bool of_machine(const Entry &e) { return !of_process(e) && !of_file(e); }

std::string name_of(const Entry &e) { return cstr(e.key.name) + (e.key.name[CACHESTAT_NAME - 1] == '\0' ? "" : "..."); }

// A page that a fault misses may come an interval later.
uint64_t hits(const Entry &e) { return e.value.accessed > e.value.missed ? e.value.accessed - e.value.missed : 0; }

constexpr Field kFields[] = {
    {STORED(Entry, from_ns)},
    end_column({STORED(Entry, to_ns), .help = "end of the interval", .with = "!by"}),
    pid_column(
        {STORED(Entry, key.tgid), .optional = true, .help = "the process, with --by process", .with = "by=process"}),
    comm_column({STORED(Entry, key.name), COMPUTED([](const Entry &e) { return if_known(of_process(e), name_of(e)); }),
                 .help = "its name", .with = "by=process"}),
    {STORED(Entry, key.dev), COMPUTED([](const Entry &e, Resolver &resolver) {
       return of_file(e) ? std::optional(resolver.disk(e.key.dev)) : std::nullopt;
     }),
     .key = "disk", .title = "DISK", .width = -10, .help = "where the file is, with --by file", .with = "by=file"},
    {STORED(Entry, key.ino), .optional = true, .key = "inode", .title = "INODE", .width = 9,
     .help = "its number there (find -inum)", .with = "by=file"},
    {COMPUTED(hits), .key = "hits", .title = "HITS", .width = 8, .help = "pages read that the cache had"},
    {STORED(Entry, value.missed), .key = "misses", .title = "MISSES", .width = 7, .help = "pages read that it had not"},
    {STORED(Entry, value.ahead), .key = "readahead", .title = "READAHEAD", .width = 9,
     .help = "pages brought in before they were asked for"},
    {COMPUTED([](const Entry &e, RowWriter &out) {
       const double part = static_cast<double>(hits(e)), all = static_cast<double>(hits(e) + e.value.missed);
       e.value.accessed == 0 ? out.none() : out.value(100.0 * part / all);
     }),
     .key = "hit_percent", .title = "RATIO", .unit = Unit::kPercent, .width = 6,
     .help = "hits of hits and misses; empty if nothing was read"},
    {STORED(Entry, value.dirtied), .key = "dirties", .title = "DIRTIES", .width = 7,
     .help = "clean pages that were made dirty"},
    {STORED(Entry, buffers_bytes), SHOWN_IF(of_machine), .key = "buffers_bytes", .title = "BUFFERS",
     .unit = Unit::kBytes, .width = 7, .help = "pages of block devices, at the end of the interval", .with = "!by"},
    {STORED(Entry, cached_bytes), SHOWN_IF(of_machine), .key = "cached_bytes", .title = "CACHED", .unit = Unit::kBytes,
     .width = 7, .help = "pages of files, likewise", .with = "!by"},
    {STORED(Entry, value.accessed), .key = "accesses", .title = "ACCESSES", .width = 8, .help = "hits and misses",
     .hidden = true},
    {STORED(Entry, value.faulted), .key = "faults", .title = "FAULTS", .width = 8,
     .help = "of these by faults on mapped files (Linux 6.10)", .hidden = true},
    {STORED(Entry, value.created), .key = "created", .title = "CREATED", .width = 8,
     .help = "pages that writes put into the cache", .hidden = true},
    {COMPUTED([](const Entry &e) { return if_known(of_file(e), name_of(e)); }), .key = "file", .title = "FILE",
     .width = -20, .help = "its name; it ends in ... if it is longer", .with = "by=file"},
    {STORED_AS("spare", Entry, value.spare[0])},
    {STORED_AS("spare2", Entry, value.spare[1])},
};
constexpr RecordType kCache = record_type<Entry>("cache", kFields);
constexpr std::string_view kLosses[] = {"misses after four gaps in a read, counted as readahead"};

void add_size(void *entry) {
  const CacheSize size = cache_size();
  static_cast<Entry *>(entry)->buffers_bytes = size.buffers_bytes;
  static_cast<Entry *>(entry)->cached_bytes = size.cached_bytes;
}

constexpr Entries kTotals = {.record = &kCache,
                             .key_at = offsetof(Entry, key),
                             .value_at = offsetof(Entry, value),
                             .map = ".data.totals",
                             .value_bytes = sizeof(Entry::value),
                             .shards = COUNT_SHARDS,
                             .complete = add_size};
constexpr View kViews[] = {
    {.name = "the lines", .shape = LinesSpec{.entries = kTotals, .losses = kLosses}},
    {.option = "by", .name = "--by", .shape = table_spec<Entry>(kCache, "parts", "accesses", kLosses)},
};

constexpr std::string_view kFault = "pages that page faults on mapped files look for (the kernel tells since 6.10)";
constexpr Hook kHooks[] = {
    {.name = "mm_filemap_add_to_page_cache"},
    {.name = "writeback_dirty_folio",
     .required = false,
     .lost_without = "dirtied pages",
     .or_else = "writeback_dirty_page"},  // the name up to 5.15
    {.name = "writeback_dirty_page", .required = false},
    {.name = "mm_filemap_fault", .required = false, .lost_without = kFault},
    {.name = "filemap_read", .required = false},
    {.name = "generic_file_buffered_read", .required = false},  // the name up to 5.11
    {.name = "filemap_splice_read", .required = false},
    {.name = "sys_exit"},  // without the functions
};

void prepare(Object &object) {
  const bool functions = object.variant("filemap_read") || object.variant("generic_file_buffered_read");
  object.enable("sys_exit", !functions);
  object.set_constant("by_functions", functions);
}

int trace(const Values &values, Session &session, Object &object) {
  const std::string &by = values.text("by");
  object.set_constant<uint32_t>("by", by == "file"      ? CACHESTAT_BY_FILE
                                      : by == "process" ? CACHESTAT_BY_PROCESS
                                                        : CACHESTAT_BY_NOTHING);
  set_page_shift(object);
  prepare(object);
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_cachestat = {
    .name = "cachestat",
    .subsystem = Subsystem::kFiles,
    .summary = "count hits and misses of the page cache, in pages",
    .manual = kManual,
    .options = kOptions,
    .interval = "1",
    .views = kViews,
    .programs = {.elf = cachestat_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare},
    .trace = trace,
};

}  // namespace strata
