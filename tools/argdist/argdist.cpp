// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata argdist: bcc's command line, as a program of strata run.
#include "argdist.manual.h"

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "cli/values.h"
#include "expr/bcc_argdist.h"
#include "run.skel.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/bcc_script.h"
#include "subsys/script_stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "histogram",
     .short_name = 'H',
     .value = "SPECIFIER",
     .kind = OptionKind::kTexts,
     .help = "how the values are distributed; may be repeated"},
    {.name = "frequency",
     .short_name = 'C',
     .value = "SPECIFIER",
     .kind = OptionKind::kTexts,
     .help = "how often each value comes; may be repeated"},
    {.name = "cumulative", .short_name = 'c', .help = "do not begin anew at each interval"},
    string_size_option({.short_name = 'z'}),
    kIncludeOption,
    kExplainOption,
};

constexpr Field kName = {.decode = {.type = Type::kText}, .key = "name", .help = "the label, or the function"};
constexpr Field kOfValues[] = {{.key = "value"}, kName}, kOfTimes[] = {{.key = "lat_ns", .unit = Unit::kNs}, kName};
constexpr std::span<const Field> kHistograms[] = {kOfValues, kOfTimes};
constexpr const PrintedType *kPrinted[] = {&kTimeLine, &kMapLine};

std::vector<Field> columns_of(const expr::ArgdistHistogram &one) {
  const std::span<const Field> columns = one.is_time ? kOfTimes : kOfValues;
  return {columns.begin(), columns.end()};
}

int trace(const Values &values, Session &session, Object &object) {
  expr::BccArgdist options = {.histograms = values.texts("histogram"),
                              .counts = values.texts("frequency"),
                              .string_size = static_cast<uint32_t>(values.number("string-size"))};
  if (options.histograms.empty() && options.counts.empty())
    throw usage_error("what is to be counted? -C 'p:c:malloc(size_t size):size_t:size', or -H for a histogram");
  options.output = {.interval_ns = values.duration_ns("interval"),
                    .count = values.number("count"),
                    .time = true,
                    .cumulative = values.given("cumulative")};
  if (options.counts.empty()) reject_options(values, {"sort", "rows"}, "is for the values of -C, and there is no -C");
  BccShown shown = {.order = script_order(values), .cumulative = options.output.cumulative};
  expr::ArgdistProgram program = expr::argdist_program(options);
  for (expr::ArgdistHistogram &one : program.histograms)
    shown.histograms.push_back({.map = std::move(one.map),
                                .columns = columns_of(one),
                                .name = std::move(one.label),
                                .below = std::move(one.below)});
  return run_bcc_program(std::move(program.text), std::move(shown), session, object);
}

}  // namespace

extern const Tool tool_argdist = bcc_tool({
    .name = "argdist",
    .summary = "count values of arguments and results of functions",
    .manual = kManual,
    .options = kOptions,
    .common_options = kHasInterval | kHasTable | kHasTypes,
    .interval = "1",
    .printed = kPrinted,
    .json_histograms = kHistograms,
    .programs = {.elf = run_bpf::elf_bytes, .hooks = kScriptHooks},
    .trace = trace,
});

}  // namespace strata
