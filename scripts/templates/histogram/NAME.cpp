// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata TOOL_NAME: TODO say in one line what it shows.
#include "TOOL_NAME/TOOL_NAME.h"

#include "TOOL_NAME.manual.h"
#include "TOOL_NAME.skel.h"
#include "bpf/object.h"
#include "kern/syscall.h"
#include "model/columns.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Field kFields[] = {
    SLOT_STORED(TOOL_NAME_entry),
    {COMPUTED(slot_values), .key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes,
     .help = "what write() returned"},
    {STORED(TOOL_NAME_entry, key.slot)},
    {STORED(TOOL_NAME_entry, zero)},
};
constexpr RecordType kRecord = record_type<TOOL_NAME_entry>("slot", kFields);
constexpr View kViews[] = {{.name = "histograms", .shape = histogram_spec<TOOL_NAME_entry>(kRecord, "sizes", "")}};

constexpr Hook kHooks[] = {{.name = "sys_exit"}};

int trace(const Values &, Session &session, Object &object) {
  object.set_constant("wanted_syscall", syscall_number("write"));
  return run_view(session, object);
}

}  // namespace

extern const Tool tool_TOOL_NAME = {
    .name = "TOOL_NAME",
    .subsystem = Subsystem::kFiles,
    .summary = "show how the sizes of writes are distributed",
    .manual = kManual,
    .views = kViews,
    .programs = {.elf = TOOL_NAME_bpf::elf_bytes, .hooks = kHooks},
    .trace = trace,
};

}  // namespace strata
