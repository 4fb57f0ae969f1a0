// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata stackcount: which stacks lead to a tracepoint or a function, and how often.
#include "stackcount/stackcount.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "base/joined.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/cpus.h"
#include "model/columns.h"
#include "run/intervals.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "stackcount.manual.h"
#include "stackcount.skel.h"
#include "subsys/probes.h"
#include "subsys/stack_columns.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "PROBE",
     .help = "t:CATEGORY:TRACEPOINT, FUNCTION of the kernel, u:FILE:FUNCTION, LIBRARY:FUNCTION",
     .required = false,
     .several = true}};

constexpr Option kOwnOptions[] = {cpu_option(),
                                  {.name = "regexp", .help = "names are regular expressions, as bcc's -r"},
                                  {.name = "force", .help = "also at more than 1000 places"}};
constexpr auto kOptions = joined(kOwnOptions, kStackOptions);

constexpr Field kFields[] = {
    INTERVAL_STORED(call_entry),
    {STORED(call_entry, value.count), .key = "count", .title = "COUNT", .width = 7,
     .help = "calls, or passages of the tracepoint, with this stack"},
    share_column<call_entry>({.help = "of all of the interval"}),
    pid_column({STORED(call_entry, key.tgid), .help = "its process"}),
    {STORED(call_entry, key.zero)},
    comm_column({STORED(call_entry, key.comm), .help = "the thread's name"}),
    {STORED_AS("probe", call_entry, key.probe.name), .optional = true, .key = "probe", .title = "PROBE",
     .help = "what was called; none: of several, and the kernel does not tell which"},
    stack_column({STORED(call_entry, key.stack)}),
};
constexpr RecordType kCall = record_type<call_entry>("call", kFields);

constexpr TableSpec kCalls = weighed(table_spec<call_entry>(kCall, "calls", "count", kStackLosses));
constexpr View kViews[] = {{.name = "the stacks", .shape = kCalls}};

constexpr Hook kHooks[] = {
    {.name = "tracepoint_hit", .required = false, .lost_without = "tracepoints"},
    {.name = "kernel_call", .required = false, .lost_without = "functions of the kernel"},
    {.name = "user_call", .required = false, .lost_without = "functions of programs and libraries"},
};

// For doctor: any function of the kernel.
void prepare(Object &object) { object.set_target("kernel_call", "vfs_read"); }

void choose_cpus(const Values &values, Object &object) {
  if (!values.given("cpu")) return;
  std::array<uint64_t, CPUS / 64> bits = {};
  for (const uint32_t cpu : cpus_named(values.text("cpu"))) bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
  object.set_constant("some_cpus", true);
  object.set_constant("cpus", bits);
}

int trace(const Values &values, Session &session, Object &object) {
  choose_cpus(values, object);
  const Probes probes(session, object, values.operands(), values.given("regexp"));
  Stacks stacks(session, object);
  return run_table(session, object, stacks.with_stacks(source_of(object, kCalls.entries)));
}

}  // namespace

extern const Tool tool_stackcount = {
    .name = "stackcount",
    .subsystem = Subsystem::kCpus,
    .summary = "count the stacks that lead to a tracepoint or a function",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = stackcount_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare},
    .trace = trace,
};

}  // namespace strata
