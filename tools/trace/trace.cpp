// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata trace: bcc's command line, as a program of strata run.
#include <cstdint>
#include <string>
#include <utility>

#include "cli/values.h"
#include "expr/bcc_trace.h"
#include "run.skel.h"
#include "run/session.h"
#include "run/tool.h"
#include "run/uid_option.h"
#include "subsys/bcc_script.h"
#include "subsys/script_stacks.h"
#include "subsys/stacks.h"
#include "trace.manual.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "PROBE", .help = "what to trace, the condition and the message, as above", .several = true}};

constexpr Option kOptions[] = {
    {.name = "time", .short_name = 'T', .help = "a column with the time of day"},
    {.name = "elapsed", .short_name = 't', .help = "a column with the seconds since the beginning"},
    {.name = "unix-timestamp", .short_name = 'u', .help = "a column with the seconds since 1970"},
    {.name = "print-cpu", .short_name = 'C', .help = "a column with the CPU"},
    {.name = "kernel-stack", .short_name = 'K', .help = "the functions of the kernel that led there"},
    {.name = "user-stack", .short_name = 'U', .help = "those of the program"},
    kLinesOption,
    {.name = "uid",
     .value = "USER",
     .kind = OptionKind::kNumber,
     .help = "only processes of this user",
     .high = UINT32_MAX,
     .named = uid_of_name,
     .names = "a user of /etc/passwd"},
    {.name = "name",
     .short_name = 'n',
     .value = "TEXT",
     .kind = OptionKind::kText,
     .help = "only threads with this in their names"},
    {.name = "msg-filter",
     .short_name = 'f',
     .value = "TEXT",
     .kind = OptionKind::kText,
     .help = "only lines with this in them"},
    string_size_option({.short_name = 'Z'}),
    {.name = "aggregate", .short_name = 'A', .help = "count lines that are alike, and print them at the end"},
    {.name = "address", .short_name = 'a', .help = "taken: what has no name is shown as an address"},
    kOwnersOption,
    kIncludeOption,
    {.name = "sym-files",
     .short_name = 's',
     .value = "FILES",
     .kind = OptionKind::kText,
     .help = "taken: symbols are found"},
    kExplainOption,
};

constexpr Field kRows[] = {
    kRowTime,
    row_column("cpu", Type::kInteger, "where it ran"),
    kRowPid,
    kRowTid,
    kRowComm,
    row_column("function", Type::kText, "the function, or the tracepoint"),
    row_column("message", Type::kText, "the message of its probe"),
    row_column("message_values", Type::kAny, "an object: each value of the message, by the expression that it is of"),
    kRowStack,
};
constexpr const PrintedType *kPrinted[] = {&kMapLine};  // of -A

int trace(const Values &values, Session &session, Object &object) {
  if (values.given("aggregate")) reject_options(values, {"msg-filter"}, "is for lines, which -A does not print");
  const AddedOwners added = added_owners(values, kRows);
  const expr::BccTrace options = {
      .time = values.given("time"),
      .elapsed = values.given("elapsed"),
      .unix_time = values.given("unix-timestamp"),
      .cpu = values.given("print-cpu"),
      .owners = added.columns,
      .kernel_stack = values.given("kernel-stack"),
      .user_stack = values.given("user-stack"),
      .aggregate = values.given("aggregate"),
      .most = values.number("limit"),
      .uid = values.given("uid") ? static_cast<int64_t>(values.number("uid")) : -1,
      .name = values.given("name") ? values.text("name") : "",
      .string_size = static_cast<uint32_t>(values.number("string-size")),
      .rows = !values.given("aggregate") && !values.given("explain"),
  };
  return run_bcc_program(expr::trace_program(values.operands(), options),
                         {.lines_with = values.given("msg-filter") ? values.text("msg-filter") : "",
                          .most_lines = values.number("limit"),
                          .rows = options.rows ? std::span(added.rows) : std::span<const Field>(),
                          .by_exit = EndReason::kLimit},
                         session, object);
}

}  // namespace

extern const Tool tool_trace = bcc_tool({
    .name = "trace",
    .summary = "print arguments and results of functions and tracepoints",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasLimit | kHasTypes,
    .printed = kPrinted,
    .json_rows = kRows,
    .programs = {.elf = run_bpf::elf_bytes, .hooks = kScriptHooks},
    .trace = trace,
});

}  // namespace strata
