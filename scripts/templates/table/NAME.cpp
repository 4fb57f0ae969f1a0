// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata TOOL_NAME: TODO say in one line what it shows.
#include "TOOL_NAME/TOOL_NAME.h"

#include "TOOL_NAME.manual.h"
#include "TOOL_NAME.skel.h"
#include "bpf/object.h"
#include "model/columns.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Field kFields[] = {
    INTERVAL_STORED(TOOL_NAME_entry),
    pid_column({STORED(TOOL_NAME_entry, key.tgid), .help = "the process"}),
    comm_column({STORED(TOOL_NAME_entry, key.comm), .width = -16, .help = "its name"}),
    {STORED(TOOL_NAME_entry, value.execs), .key = "execs", .title = "EXECS", .width = 8,
     .help = "programs that it began"},
    {STORED(TOOL_NAME_entry, key.zero)},
};
constexpr RecordType kRecord = record_type<TOOL_NAME_entry>("execs", kFields);
constexpr View kViews[] = {{.name = "the table", .shape = table_spec<TOOL_NAME_entry>(kRecord, "counts", "execs")}};

constexpr Hook kHooks[] = {{.name = "sched_process_exec"}};

int trace(const Values &, Session &session, Object &object) { return run_view(session, object); }

}  // namespace

extern const Tool tool_TOOL_NAME = {
    .name = "TOOL_NAME",
    .subsystem = Subsystem::kProcesses,
    .summary = "count the programs that each process executes",
    .manual = kManual,
    .views = kViews,
    .programs = {.elf = TOOL_NAME_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
