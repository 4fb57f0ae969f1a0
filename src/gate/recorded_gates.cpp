// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/recorded_gates.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "gate/gates.h"
#include "gate/guests.h"
#include "gate/judge.h"
#include "gate/row_totals.h"
#include "rec/recording.h"
#include "run/recorded.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

// A recording that has less than the metric's own run would be no count of all, and one that has more no count of these
// alone. Whose it is of, by the common filters, is up to whoever recorded.
void check_recorded(const Gate &gate, const Tool &tool, const std::optional<Values> &recorded) {
  const ToolRun run = tool_runs_of({&gate, 1}).front();
  std::vector<std::string> words = {"strata", std::string(run.tool)};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  const auto fail = [&](const std::string &is) {
    throw usage_error("--that " + printable(gate.text()) + " needs a recording of `" + join(words, " ") +
                      "`, and this is " + is);
  };
  if (tool.name != run.tool) fail("one of " + std::string(tool.name));
  if (!recorded) fail("one of a run whose options are not known");
  const Values wanted = parse_arguments(syntax_of(tool, tool.name), run.arguments);
  if (const Option *option = differing_option(tool, wanted, *recorded))
    fail("of a run " + std::string(recorded->given(option->name) ? "with" : "without") + " --" +
         std::string(option->name));
}

std::vector<std::string> replay_arguments(const Values &values, const Values &recorded) {
  std::vector<std::string> arguments = {values.operand(0)};
  for (const std::string name : {"from", "to", "when"})
    if (values.given(name)) arguments.push_back("--" + name + "=" + values.text(name));
  if (recorded.given("rows")) arguments.emplace_back(kAllRows);
  return arguments;
}

void check_options(const Values &values) {
  reject_options(values, {"columns", "sort", "rows", "limit", "min-latency", "min-total"},
                 "is for rows, and --that judges them");
  for (const std::string &output : values.texts("output")) {
    const std::string format = output.substr(0, output.find(':'));
    if (std::ranges::find(kJudgementFormats, format) == std::end(kJudgementFormats))
      throw usage_error("with --that, --output takes one of the formats " + comma_list(kJudgementFormats) + ", not '" +
                        printable(format) + "'");
  }
}

}  // namespace

int judge_recording(RecordedRun &run, Session &session) {
  check_options(session.values());
  const std::vector<Gate> gates = gates_of(session.values());
  const Tool &tool = run.tool;
  const std::optional<Values> &recorded = run.values;
  std::vector<const Gate *> all;
  for (const Gate &gate : gates) {
    check_recorded(gate, tool, recorded);
    all.push_back(&gate);
  }
  const Values values =
      parse_arguments(syntax_of(session.tool(), session.program()), replay_arguments(session.values(), *recorded));
  Session guest(session.tool(), values, session.program(), session, {});
  guest.replay(tool, run.view, &*recorded);
  Measured measured;
  measure_into(measured, all, guest);
  session.begin(run.recording.head());
  const int status = tool.replay != nullptr ? tool.replay(run.recording, guest) : replay_view(run.recording, guest);
  Judgement judgement = {.gates = {}, .runs = 1};
  for (size_t i = 0; i < gates.size(); i++) {
    std::string invalid = status != 0 ? "memory ran out" : run.recording.missing();
    if (invalid.empty()) invalid = losses_text(gates[i], measured);
    judgement.gates.push_back(judge(gates[i], {&measured.of[i], 1}, std::move(invalid)));
  }
  return put_judgement(judgement, measured.losses, session);
}

}  // namespace strata
