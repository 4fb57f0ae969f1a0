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
    time_column({STORED(TOOL_NAME_event, ts_ns), .help = "when it happened"}),
    pid_column({STORED(TOOL_NAME_event, tgid), .help = "the process"}),
    tid_column({STORED(TOOL_NAME_event, tid), .help = "the thread", .hidden = true}),
    comm_column({STORED(TOOL_NAME_event, comm), .width = -16, .help = "name of the task"}),
};
constexpr RecordType kRecord = record_type<TOOL_NAME_event>("event", kFields);
constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kRecord}}};

constexpr Hook kHooks[] = {{.name = "sched_process_exec"}};

int trace(const Values &, Session &session, Object &object) { return run_view(session, object); }

}  // namespace

extern const Tool tool_TOOL_NAME = {
    .name = "TOOL_NAME",
    .subsystem = Subsystem::kProcesses,
    .summary = "show each program that is executed",
    .manual = kManual,
    .views = kViews,
    .programs = {.elf = TOOL_NAME_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
