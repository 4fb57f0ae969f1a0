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
#include "subsys/script_stacks.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "PATTERN", .help = "FUNCTION of the kernel, or LIBRARY:FUNCTION, with * and ?"}};

constexpr Option kOptions[] = {
    {.name = "function", .short_name = 'F', .help = "a histogram for each function"},
    kRegexpOption,
    kExplainOption,
};

// Of all functions, or of each.
constexpr Field kColumns[] = {{.key = "lat_ns", .unit = Unit::kNs},
                              {.decode = {.type = Type::kText}, .key = "function", .help = "its name"}};
constexpr std::span<const Field> kHistograms[] = {{kColumns, 1}, kColumns};
constexpr const PrintedType *kPrinted[] = {&kTimeLine};

int trace(const Values &values, Session &session, Object &object) {
  const bool several = values.given("function");
  const std::span<const Field> columns = kHistograms[several ? 1 : 0];
  ScriptHistogram histogram = {.map = {}, .columns = {columns.begin(), columns.end()}};
  if (!several) reject_options(values, {"sort", "rows"}, "is for several histograms (-F), and this is one");
  const HistogramOrder order(session, histogram.columns);  // before anything is traced
  const expr::FunclatencyOptions options = {
      .regular = values.given("regexp"), .by_function = several, .output = bcc_output(values)};
  histogram.map = expr::funclatency_histogram(options);
  return run_bcc_program(expr::funclatency_program({"PATTERN", values.operand(0)}, options),
                         {.histograms = {std::move(histogram)}}, session, object);
}

}  // namespace

extern const Tool tool_funclatency = bcc_tool({
    .name = "funclatency",
    .summary = "show how long functions take, as a histogram",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasInterval | kHasTable | kHasTypes,
    .printed = kPrinted,
    .json_histograms = kHistograms,
    .programs = {.elf = run_bpf::elf_bytes, .hooks = kScriptHooks},
    .trace = trace,
});

}  // namespace strata
