// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata check: whether a program does what it is to do, and nothing else.
#include <unistd.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/joined.h"
#include "base/text.h"
#include "check.manual.h"
#include "cli/values.h"
#include "gate/baseline.h"
#include "gate/demands.h"
#include "gate/gates.h"
#include "gate/guests.h"
#include "gate/judge.h"
#include "render/sink.h"
#include "render/writer.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Option kOwnOptions[] = {
    {.name = "update", .help = "instead, write the file of --baseline, unless a gate fails"},
    {.name = "metrics", .help = "instead, list what there is to measure"},
};
constexpr auto kOptions = joined(kGateOptions, kDemandOptions, kOwnOptions);

int run(const Values &values, Session &session) {
  if (values.given("metrics")) {
    print(metrics_text());
    return 0;
  }
  const Demands demands = demands_of(values);
  const std::vector<Gate> &gates = demands.gates;
  const std::string &file = demands.baseline;
  const bool updates = values.given("update");
  if (gates.empty())
    throw usage_error("--that EXPR or -f FILE is missing: what has to hold (--metrics lists what there is)");
  if (values.command().empty()) throw usage_error("-- COMMAND is missing: the program that is checked");
  if (file.empty()) reject_options(values, {"update"}, "is for a file, which is missing (--baseline FILE)");
  const bool is_there = access(file.c_str(), F_OK) == 0;
  Baseline baseline = file.empty() || (updates && !is_there) ? Baseline() : Baseline(file);
  if (updates) session.keep(kToReplaceFiles);
  const Rounds rounds = run_tools(gates, demands.repeat, session);
  Judgement judgement = {.gates = {}, .runs = rounds.of.front().measurements.size(), .status = rounds.status};
  for (size_t i = 0; i < gates.size(); i++)
    judgement.gates.push_back(judge(gates[i], rounds.of[i].measurements, rounds.of[i].invalid,
                                    file.empty() || updates ? nullptr : &baseline));
  const bool good = rounds.status == 0 && judgement.count(Verdict::kInvalid) + judgement.count(Verdict::kFails) == 0;
  if (updates && good) {
    for (size_t i = 0; i < gates.size(); i++) baseline.set(gates[i], rounds.of[i].measurements);
    baseline.write(file);
  }
  return put_judgement(judgement, rounds.losses, session);
}

}  // namespace

extern const Tool tool_check = {
    .name = "check",
    .summary = "run a program, and fail if it does what it is not to do",
    .manual = kManual,
    .options = kOptions,
    .common_options = kHasCommand | kHasTypes,
    .formats = kJudgementFormats,
    .judges = true,
    .run = run,
};

}  // namespace strata
