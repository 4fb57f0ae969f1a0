// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata tplist: bcc's command line for what strata run -l lists, and for the static probes of programs.
#include <string>

#include "cli/values.h"
#include "render/writer.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/script_list.h"
#include "tplist.manual.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "FILTER", .help = "CATEGORY:TRACEPOINT, or PROVIDER:PROBE, with * and ?", .required = false}};

constexpr Option kOptions[] = {
    pid_option({.name = "pid", .short_name = 'p', .help = "static probes of the files of this process"}),
    {.name = "lib",
     .short_name = 'l',
     .value = "FILE",
     .kind = OptionKind::kText,
     .help = "static probes of this program or library: c, /usr/bin/python3"},
};
constexpr std::string_view kFormats[] = {"text"};

int run(const Values &values, Session &session) {
  if (values.given("pid")) reject_options(values, {"lib"}, "is one file, and -p all of a process: take one of the two");
  const std::string filter = values.operands().empty() ? "*" : values.operand(0);
  const bool details = values.given("verbose");
  print(first_probes(session, any_given(values, {"pid", "lib"})
                                  ? list_of_static_probes(session, filter, details)
                                  : list_of_probes(session, "tracepoint:" + filter, details)));
  return 0;
}

}  // namespace

extern const Tool tool_tplist = {
    .name = "tplist",
    .subsystem = Subsystem::kPlaces,
    .summary = "list tracepoints, and static probes of programs",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasLimit | kHasTypes,
    .formats = kFormats,
    .run = run,
};

}  // namespace strata
