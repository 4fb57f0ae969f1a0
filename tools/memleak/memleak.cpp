// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata memleak: memory that processes have allocated and not freed, by the stack that allocated it; or, cheaply, by
// which stacks their resident memory grows; or what the kernel has allocated. Blocks are the default, though they are
// dear: `memleak -p PID` means them in bcc and libbpf-tools, and what grows is not a leak yet, but where to look for
// one. A run without a process is refused, with the name of the cheap option.
#include "memleak/memleak.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "allocators.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/joined.h"
#include "bpf/object.h"
#include "bpf/page_shift.h"
#include "cli/values.h"
#include "memleak.manual.h"
#include "memleak.skel.h"
#include "model/columns.h"
#include "outstanding.h"
#include "run/intervals.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/stack_columns.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "older",
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "only blocks that were allocated so long ago (10s, 5m)",
     .high = 1000 * kHourNs},
    {.name = "min-size",
     .short_name = 'z',
     .value = "BYTES",
     .kind = OptionKind::kNumber,
     .help = "only blocks of so many bytes or more",
     .constant = "min_bytes"},
    {.name = "max-size",
     .short_name = 'Z',
     .value = "BYTES",
     .kind = OptionKind::kNumber,
     .help = "only blocks of so many bytes or fewer",
     .low = 1,
     .constant = "max_bytes"},
    {.name = "sample",
     .short_name = 's',
     .value = "1/N",
     .kind = OptionKind::kOneIn,
     .help = "one allocation in N, at random: estimates",
     .low = 1,
     .high = 1'000'000,
     .default_value = "1",
     .constant = "sample"},
    {.name = "functions",
     .value = "NAME=LIKE,...",
     .kind = OptionKind::kText,
     .help = "instead of the usual: pool_new=malloc,pool_end=free"},
    {.name = "max-blocks",
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "so many at a time, 100 bytes each",
     .low = 1,
     .high = 16'777'216,
     .default_value = "262144"},
    choice_option(
        {.name = "kernel", .value = "slab|pages", .help = "instead, memory of the kernel: objects, or pages"}),
    {.name = "growth", .help = "instead, what resident memory grows by; cheap"},
    kLinesOption,
};

constexpr Field kFields[] = {
    INTERVAL_STORED(leak_entry),
    {STORED(leak_entry, value.bytes), .key = "size_bytes", .title = "BYTES", .unit = Unit::kBytes, .width = 7,
     .help = "outstanding: allocated and not freed"},
    share_column<leak_entry>({.help = "of the bytes of all rows"}),
    {STORED(leak_entry, value.count), .key = "count", .title = "COUNT", .width = 6, .help = "blocks"},
    {STORED(leak_entry, value.age_ns), .key = "age_ns", .title = "AGE", .unit = Unit::kNs, .width = 7,
     .help = "of the oldest of them"},
    pid_column({STORED(leak_entry, key.tgid), .help = "the process"}),
    {STORED(leak_entry, key.zero)},
    comm_column({STORED(leak_entry, key.comm), .help = "its name"}),
    stack_column({STORED(leak_entry, key.stack), .help = "who called the function that allocates"}),
};
constexpr RecordType kLeak = record_type<leak_entry>("leak", kFields);

// In the order of enum resident_kind.
std::string_view kind_name(uint32_t kind) {
  static constexpr std::string_view kKinds[RESIDENT_KINDS] = {"file", "anon", "swap", "shmem"};
  return kind < RESIDENT_KINDS ? kKinds[kind] : "?";
}

constexpr Field kGrowthFields[] = {
    INTERVAL_STORED(growth_entry),
    {STORED(growth_entry, value.grown_bytes), .key = "grown_bytes", .title = "GROWN", .unit = Unit::kBytes, .width = 7,
     .help = "that became resident"},
    share_column<growth_entry>({.help = "of what all rows have grown"}),
    {STORED(growth_entry, value.shrunk_bytes), .key = "shrunk_bytes", .title = "SHRUNK", .unit = Unit::kBytes,
     .width = 7, .help = "that was given back"},
    {STORED(growth_entry, key.kind), COMPUTED(kind_name), .key = "memory_type", .title = "TYPE", .width = -5,
     .help = "anon, file (a file's pages, as of libraries) or shmem (shared)"},
    pid_column({STORED(growth_entry, key.tgid), .help = "the process"}),
    comm_column({STORED(growth_entry, key.comm), .help = "the thread's name"}),
    stack_column({STORED(growth_entry, key.stack), .help = "who touched the memory, or gave it back"}),
};
constexpr RecordType kGrowth = record_type<growth_entry>("growth", kGrowthFields);

constexpr std::string_view kOwnLosses[] = {"blocks found no room (--max-blocks)",
                                           "processes found no room: blocks of what they ran before may be shown",
                                           "processes found no room: what they grow by is not counted",
                                           "programs without a known function that allocates (--functions)",
                                           "processes that ended, or refused, before their blocks could be seen"};
constexpr auto kLosses = joined(kStackLosses, kOwnLosses);
constexpr TableSpec kLeaks = [] {
  TableSpec leaks = weighed(table_spec<leak_entry>(kLeak, "blocks", "size_bytes", kLosses), "count");
  leaks.greatest = "age_ns";
  return leaks;
}();
constexpr TableSpec kGrown =
    weighed(table_spec<growth_entry>(kGrowth, "growth", "grown_bytes", kLosses), "shrunk_bytes");
constexpr View kViews[] = {
    {.name = "the stacks", .shape = kLeaks},
    {.option = "growth",
     .name = "the growth",
     .without = "older|min-size|max-size|sample|functions|max-blocks|kernel",
     .shape = kGrown},
};

constexpr Hook kHooks[] = {
    {.name = "allocation_begin"},
    {.name = "allocation_end"},
    {.name = "free_begin"},
    {.name = "rss_stat"},
    {.name = "resident_fork"},
    {.name = "resident_exit"},
    {.name = "resident_before",
     .required = false,
     .lost_without = "of processes that ran before, the first pages that they grow by"},
    {.name = "kmalloc"},
    {.name = "kmem_cache_alloc"},
    {.name = "kfree"},
    {.name = "kmem_cache_free"},
    {.name = "mm_page_alloc"},
    {.name = "mm_page_free"},
    {.name = "kmalloc_node", .required = false, .lost_without = "what is allocated on a node", .or_else = "kmalloc"},
    {.name = "kmem_cache_alloc_node",
     .required = false,
     .lost_without = "what is allocated on a node",
     .or_else = "kmem_cache_alloc"},
};

constexpr std::string_view kGrowthHooks[] = {"rss_stat", "resident_fork", "resident_exit", "resident_before"};
constexpr std::string_view kSlabHooks[] = {"kmalloc",         "kmem_cache_alloc", "kfree",
                                           "kmem_cache_free", "kmalloc_node",     "kmem_cache_alloc_node"};
constexpr std::string_view kPageHooks[] = {"mm_page_alloc", "mm_page_free"};

void leave_out(Object &object, std::span<const std::string_view> hooks, std::initializer_list<const char *> maps = {}) {
  object.enable(hooks, false);
  for (const char *map : maps) object.set_max_entries(map, 1);
}

int trace_growth(Session &session, Object &object) {
  set_page_shift(object);
  Stacks stacks(session, object);
  object.set_constant("stack_kernel", false);
  session.when_attached([&] {
    if (const Fd tasks = object.iterator("resident_before")) run_iterator(tasks);
  });
  return run_table(session, object, stacks.with_stacks(source_of(object, kGrown.entries)));
}

int trace_kernel(const Values &values, Session &session, Object &object) {
  reject_options(values, {"functions"}, "names functions of programs, of which --kernel shows none");
  reject_options(values, {"lines"}, "is of functions of programs, of which --kernel shows none");
  set_page_shift(object);
  object.set_max_entries("kernel_blocks", static_cast<uint32_t>(values.number("max-blocks")));
  const Source source = {.key_bytes = sizeof(leak_key),
                         .open = [&] { return outstanding_kernel_blocks(values, object); },
                         .frames = Stacks::kernel_reader(session, object).frames};
  return run_table(session, object, source);
}

int trace_blocks(const Values &values, Session &session, Object &object) {
  if (!session.filters_tasks())
    throw usage_error(
        "needs -p PID or -- COMMAND: each call of malloc() in whatever is traced takes several times as long (which "
        "process grows? try: --growth)");
  object.set_max_entries("blocks", static_cast<uint32_t>(values.number("max-blocks")));
  Stacks stacks(session, object);
  object.set_constant("stack_kernel", false);
  Allocators allocators(session, object);
  stacks.when_looked([&](uint32_t tgid, const auto &mappings) { allocators.look_at(tgid, mappings); });
  session.when_attached([&] { allocators.look_at_command(); });
  Source source = {.key_bytes = sizeof(leak_key),
                   .open = [&] { return outstanding_blocks(values, object, allocators); },
                   .settle =
                       [&] {
                         allocators.settle();
                         if (values.given("verbose") && !any_given(values, {"sample", "min-size", "max-size"}))
                           say_unseen(object);
                       }};
  return run_table(session, object, stacks.with_stacks(std::move(source)));
}

int trace(const Values &values, Session &session, Object &object) {
  const std::string &kernel = values.text("kernel");
  const bool growth = session.shows("growth");
  if (growth || !kernel.empty()) leave_out_blocks(object);
  if (!growth) leave_out(object, kGrowthHooks, {"growth", "residents"});
  if (kernel != "slab") leave_out(object, kSlabHooks);
  if (kernel != "pages") leave_out(object, kPageHooks);
  if (growth) return trace_growth(session, object);
  return kernel.empty() ? trace_blocks(values, session, object) : trace_kernel(values, session, object);
}

}  // namespace

extern const Tool tool_memleak = {
    .name = "memleak",
    .subsystem = Subsystem::kProcesses,
    .summary = "show memory that processes allocate and do not free, by stack",
    .manual = kManual,
    .operands = kIntervalOperands,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = memleak_bpf::elf_bytes, .hooks = kHooks, .prepare = choose_allocator_hooks},
    .trace = trace,
};

}  // namespace strata
