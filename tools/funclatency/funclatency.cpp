// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata funclatency: bcc's command line, as a program of strata run.
#include <string>
#include <utility>

#include "cli/values.h"
#include "expr/bcc_functions.h"
#include "funclatency.manual.h"
#include "run.skel.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/bcc_script.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "PATTERN", .help = "FUNCTION of the kernel, or LIBRARY:FUNCTION, with * and ?"}};

constexpr Option kOptions[] = {
    kTimestampOption,
    {.name = "microseconds", .short_name = 'u', .help = "the histogram in microseconds"},
    {.name = "milliseconds", .short_name = 'm', .help = "the histogram in milliseconds"},
    {.name = "function", .short_name = 'F', .help = "a histogram for each function"},
    kRegexpOption,
    kExplainOption,
};

int trace(const Values &values, Session &session, Object &object) {
  if (values.given("milliseconds"))
    reject_options(values, {"microseconds"}, "is the unit, and so is -m: take one of the two");
  std::string program =
      expr::funclatency_program({"PATTERN", values.operand(0)}, {.regular = values.given("regexp"),
                                                                 .by_function = values.given("function"),
                                                                 .unit = values.given("milliseconds")   ? "msecs"
                                                                         : values.given("microseconds") ? "usecs"
                                                                                                        : "nsecs",
                                                                 .output = bcc_output(values)});
  return run_bcc_program(std::move(program), {}, session, object);
}

}  // namespace

extern const Tool tool_funclatency = bcc_tool({
    .name = "funclatency",
    .summary = "show how long functions take, as a histogram",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasInterval,
    .programs = {.elf = run_bpf::elf_bytes},
    .trace = trace,
});

}  // namespace strata
