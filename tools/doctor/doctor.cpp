// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata doctor: what this host permits, which tools run on it and how, and what to change for those that do not.
#include "doctor.manual.h"
#include "least_types.h"
#include "report.h"

#include "cli/values.h"
#include "run/dispatch.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {
    {.decode = {.type = Type::kText},
     .key = "about",
     .title = "ABOUT",
     .width = -7,
     .help = "host: a fact; permits: tried just now; tool: a tool"},
    {.decode = {.type = Type::kText}, .key = "name", .title = "NAME", .width = -12, .help = "what was looked at"},
    {.decode = {.type = Type::kText},
     .key = "status",
     .title = "STATE",
     .width = -8,
     .help = "yes or no; what was read, of the host; of a tool: full, degraded (the detail says how) or no"},
    {.decode = {.type = Type::kText},
     .key = "detail",
     .title = "DETAIL",
     .help = "how a tool runs, or what is missing and what to do"},
    {.decode = {.type = Type::kText},
     .key = "program",
     .title = "PROGRAM",
     .width = -24,
     .help = "with --load: a program of the tool",
     .hidden = true},
    {.decode = {.type = Type::kText},
     .key = "capabilities",
     .title = "CAPABILITIES",
     .width = -21,
     .help = "of a tool: what it takes, besides root's ids or instead of them, to load and attach its programs here",
     .hidden = true},
    {.decode = {.type = Type::kInteger},
     .key = "verified_insns",
     .title = "VERIFIED",
     .width = 8,
     .help = "instructions that the verifier processed for it (the kernel's limit is a million)",
     .hidden = true},
};
constexpr Option kOptions[] = {
    {.name = "load", .help = "load and attach each tool's programs too, and say what each cost the verifier"},
    {.name = "min-btf",
     .value = "OUT",
     .kind = OptionKind::kText,
     .help = "write to the file OUT what all tools need of the kernel's types (37 KB of 5.5 MB), for --btf on hosts of "
             "the same "
             "kernel; run, trace and their like want all of them"},
};
constexpr std::string_view kFormats[] = {"text", "json", "csv"};

int run(const Values &values, Session &session) {
  if (values.given("min-btf")) write_least_types(kTools, values.text("min-btf"));
  return run_doctor(session, kTools, values.given("load"));
}

}  // namespace

extern const Tool tool_doctor = {
    .name = "doctor",
    .summary = "say what this host permits, and which tools run on it",
    .manual = kManual,
    .options = kOptions,
    .common_options = kHasColumns | kHasTypes,
    .formats = kFormats,
    .fields = kColumns,
    .run = run,
};

}  // namespace strata
