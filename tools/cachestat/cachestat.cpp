// strata cachestat: how many of the pages that were read the page cache had.
#include "cachestat/cachestat.h"

#include <unistd.h>

#include <bit>

#include "bpf/object.h"
#include "cachestat.manual.h"
#include "cachestat.rows.h"
#include "cachestat.skel.h"
#include "render/sink.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {

extern const Tool tool_cachestat;

namespace {

constexpr Option kOptions[] = {{.name = "by",
                                .value = "process|file",
                                .kind = OptionKind::kChoice,
                                .help = "a table of processes or files, by what they read"}};

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
  object.set_knob("by_functions", functions);
}
const Blueprint kLoads[] = {{.elf = cachestat_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare}};
int run(const Values &values, Session &session) {
  const uint32_t by = asked_by(values);
  Skeleton<cachestat_bpf> skel;
  Object object(skel->skeleton, kHooks);
  object.set_knob("by", by);
  object.set_knob("page_shift", static_cast<uint32_t>(std::countr_zero(static_cast<uint64_t>(getpagesize()))));
  prepare(object);
  show_by(session, tool_cachestat, by);
  if (by != CACHESTAT_BY_NOTHING) return run_table(session, object, "parts", kTops);
  return run_intervals(session, object, ".data.totals", kTotals, lines(session), kCacheLosses);
}

int replay(Recording &recording, Session &session) {
  const uint32_t by = recorded_by(recording);
  show_by(session, tool_cachestat, by);
  if (by != CACHESTAT_BY_NOTHING) return replay_table(recording, session, kTops);
  return replay_intervals(recording, session, kTotals, lines(session));
}

}  // namespace

extern const Tool tool_cachestat = {
    .name = "cachestat",
    .summary = "count hits and misses of the page cache, in pages",
    .manual = kCachestatManual,
    .details = kCachestatDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesColumns | kTakesTable,
    .interval = "1",
    .formats = kRowFormats,
    .columns = kColumnsBy<CACHESTAT_BY_NOTHING>,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
