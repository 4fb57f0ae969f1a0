// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata funcslower: bcc's command line, as a program of strata run.
#include <cstdint>

#include "cli/values.h"
#include "expr/bcc_functions.h"
#include "funcslower.manual.h"
#include "run.skel.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/bcc_script.h"
#include "subsys/script_stacks.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "FUNCTION", .help = "of the kernel, or LIBRARY:FUNCTION; with * and ?", .several = true}};

constexpr uint64_t kMost = 3'600'000'000;

constexpr Option kOptions[] = {
    {.name = "min-ms",
     .short_name = 'm',
     .value = "MS",
     .kind = OptionKind::kNumber,
     .help = "only calls that take so many milliseconds (default 1)",
     .high = kMost / 1000},
    {.name = "min-us",
     .short_name = 'u',
     .value = "US",
     .kind = OptionKind::kNumber,
     .help = "or microseconds, in which LAT is then",
     .high = kMost},
    {.name = "arguments",
     .short_name = 'a',
     .value = "N",
     .kind = OptionKind::kNumber,
     .help = "the first N arguments of the call, at most 6",
     .low = 1,
     .high = 6},
    {.name = "time", .short_name = 'T', .help = "a column with the time of day"},
    {.name = "timestamp", .short_name = 't', .help = "a column with the seconds since the beginning"},
    {.name = "kernel-stack", .short_name = 'K', .help = "the functions of the kernel that led there"},
    {.name = "user-stack", .short_name = 'U', .help = "those of the program"},
    kLinesOption,
    kOwnersOption,
    kExplainOption,
};

constexpr Field kRows[] = {
    kRowTime,
    kRowComm,
    kRowPid,
    kRowTid,
    row_column("lat_ns", Type::kInteger, "from the call to the return"),
    row_column("return_value", Type::kInteger, "what it returned"),
    row_column("function", Type::kText, "the function"),
    row_column("arguments", Type::kAny, "with -a: a list of the first arguments of the call, numbers"),
    kRowStack,
};

int trace(const Values &values, Session &session, Object &object) {
  if (values.given("min-us")) reject_options(values, {"min-ms"}, "is a minimum, and so is -u: take one of the two");
  if (values.given("time")) reject_options(values, {"timestamp"}, "is the time, and so is -T: take one of the two");
  const AddedOwners added = added_owners(values, kRows);
  expr::FuncslowerOptions options = {.microseconds = values.given("min-us"),
                                     .time = values.given("time"),
                                     .elapsed = values.given("timestamp"),
                                     .owners = added.columns,
                                     .kernel_stack = values.given("kernel-stack"),
                                     .user_stack = values.given("user-stack"),
                                     .arguments = values.number("arguments"),
                                     .rows = !values.given("explain")};
  if (values.given("min-ms")) options.min_ns = values.number("min-ms") * 1'000'000;
  if (values.given("min-us")) options.min_ns = values.number("min-us") * 1'000;
  return run_bcc_program(expr::funcslower_program(values.operands(), options),
                         {.most_lines = values.number("limit"), .rows = added.rows}, session, object);
}

}  // namespace

extern const Tool tool_funcslower = bcc_tool({
    .name = "funcslower",
    .summary = "show each slow call of a function, with its result",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasLimit | kHasTypes,
    .json_rows = kRows,
    .programs = {.elf = run_bpf::elf_bytes, .hooks = kScriptHooks},
    .trace = trace,
});

}  // namespace strata
