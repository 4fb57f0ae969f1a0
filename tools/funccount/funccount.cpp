// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata funccount: bcc's command line, as a program of strata run.
#include <cstdint>
#include <vector>

#include "cli/values.h"
#include "expr/bcc_functions.h"
#include "funccount.manual.h"
#include "kern/cpus.h"
#include "run.skel.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/bcc_script.h"
#include "subsys/script_stacks.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "PATTERN", .help = "FUNCTION of the kernel, LIBRARY:FUNCTION or t:CATEGORY:TRACEPOINT, with * and ?"}};

constexpr Option kOptions[] = {kTimestampOption, kRegexpOption, cpu_option('c'), kExplainOption};

constexpr const PrintedType *kPrinted[] = {&kTimeLine, &kMapLine};

int trace(const Values &values, Session &session, Object &object) {
  std::vector<uint32_t> cpus;
  if (values.given("cpu")) cpus = cpus_named(values.text("cpu"));
  return run_bcc_program(
      expr::funccount_program({"PATTERN", values.operand(0)}, values.given("regexp"), cpus, bcc_output(values)),
      {.order = script_order(values)}, session, object);
}

}  // namespace

extern const Tool tool_funccount = bcc_tool({
    .name = "funccount",
    .summary = "count calls of functions and tracepoints, by name",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasInterval | kHasTable | kHasTypes,
    .printed = kPrinted,
    .programs = {.elf = run_bpf::elf_bytes, .hooks = kScriptHooks},
    .trace = trace,
});

}  // namespace strata
