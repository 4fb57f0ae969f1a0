// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata replay: a recording rendered again, by anybody, on any machine, without BPF.
#include <string>

#include "base/ending.h"
#include "base/joined.h"
#include "cli/values.h"
#include "gate/gates.h"
#include "gate/recorded_gates.h"
#include "replay.manual.h"
#include "run/follow.h"
#include "run/recorded.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {{.name = "FILE", .help = "written by -o record:FILE", .file = true}};
constexpr Option kOwnOptions[] = {
    {.name = "from", .value = "TIME", .kind = OptionKind::kText, .help = "only what happened from this time of day on"},
    {.name = "to", .value = "TIME", .kind = OptionKind::kText, .help = "and before this one: 14:03:07.25"},
};
constexpr auto kOptions = joined(kOwnOptions, kThresholdOptions, kGateOptions);
constexpr std::string_view kFormats[] = {"text",        "json",  "csv",   "heatmap",  "folded",
                                         "flame",       "pprof", "html",  "perfetto", "otlp",
                                         "openmetrics", "md",    "junit", "sql",      "pcapng"};

int run(const Values &values, Session &session) {
  RecordedRun recorded(values.operand(0));
  session.out().refuse(recorded.recording.regular_file());
  if (values.given("that")) return judge_recording(recorded, session);
  reject_options(values, {"least"}, "is for gates, which are missing (--that EXPR)");
  const Tool &tool = recorded.tool;
  session.replay(tool, recorded.view, recorded.values ? &*recorded.values : nullptr);
  if (tool.views.empty() && tool.followed.empty())
    reject_options(values, {"from", "to"}, "is not for recordings of " + std::string(tool.name));
  if (tool.followed.empty()) reject_options(values, {"min-latency", "min-total"}, "is for recordings of follow");
  const int status =
      tool.replay != nullptr ? tool.replay(recorded.recording, session) : replay_view(recorded.recording, session);
  return recorded.recording.ended() ? 128 + ending_signal() : status;
}

}  // namespace

extern const Tool tool_replay = {
    .name = "replay",
    .summary = "render a recording of another tool again, in any format",
    .manual = kManual,
    .operands = kOperands,
    .options = kOptions,
    .common_options = kHasColumns | kHasTable | kHasWhen | kHasLimit,
    .formats = kFormats,
    .judges = true,  // with --that
    .replays = true,
    .run = run,
};

}  // namespace strata
