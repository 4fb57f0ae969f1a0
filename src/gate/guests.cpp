// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/guests.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "gate/judge.h"
#include "render/value.h"
#include "run/dispatch.h"
#include "run/find_tool.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

// A reason is there once.
void add_losses(std::vector<Loss> &all, std::span<const Loss> more) {
  for (const Loss &loss : more) {
    const auto same = std::ranges::find(all, loss.reason, &Loss::reason);
    if (same == all.end())
      all.push_back(loss);
    else
      same->count += loss.count;
  }
}

class RunsOfTools {
 public:
  RunsOfTools(std::span<const Gate> gates, Session &host) : gates_(gates), host_(host), runs_(tool_runs_of(gates)) {
    measured_.resize(runs_.size());
    failed_.resize(runs_.size());
  }

  // From this one on: the next runs inside it.
  void run_from(size_t i) {
    if (i == runs_.size()) return host_.run();
    const Found found = find_tool(kTools, runs_[i].tool);
    if (!found)
      throw Error("this program is without the tool " + std::string(runs_[i].tool) + ", which measures " +
                  gates_[runs_[i].gates.front()].text());
    const std::string program = "strata " + std::string(runs_[i].tool);
    std::vector<std::string> arguments = runs_[i].arguments;
    if (host_.values().given("verbose")) arguments.emplace_back("--verbose");
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), host_.values().command().begin(), host_.values().command().end());
    const Values values = parse_arguments(syntax_of(*found.tool, program), arguments);
    Session guest(*found.tool, values, program, host_, [this, i] { run_from(i + 1); });
    std::vector<const Gate *> gates;
    for (const size_t gate : runs_[i].gates) gates.push_back(&gates_[gate]);
    measure_into(measured_[i], gates, guest);
    if (run_tool(*found.tool, values, guest) != 0) failed_[i] = program + " ran out of memory";
  }

  void add_to(Rounds &rounds, const std::string &cut_short) {
    for (size_t i = 0; i < runs_.size(); i++) {
      add_losses(rounds.losses, measured_[i].losses);
      for (size_t k = 0; k < runs_[i].gates.size(); k++) {
        const Gate &gate = gates_[runs_[i].gates[k]];
        OfGate &of = rounds.of[runs_[i].gates[k]];
        of.measurements.push_back(std::move(measured_[i].of[k]));
        if (of.invalid.empty()) of.invalid = cut_short;
        if (of.invalid.empty()) of.invalid = failed_[i].empty() ? losses_text(gate, measured_[i]) : failed_[i];
      }
    }
  }

 private:
  std::span<const Gate> gates_;
  Session &host_;
  std::vector<ToolRun> runs_;
  std::vector<Measured> measured_;
  std::vector<std::string> failed_;
};

// What ends the run before its command makes all of it worthless.
std::string cut_short(Session &session) {
  if (session.command_has_ended()) return "";
  return "the run ended before the command: " + std::string(name_of(session.loop().reason()));
}

void run_once(std::span<const Gate> gates, Session &host, Rounds &rounds) {
  RunsOfTools tools(gates, host);
  try {
    tools.run_from(0);
  } catch (const Error &error) {
    if (error.exit_status() != 1) throw;
    throw Error(error.what(), kInvalidStatus);
  }
  tools.add_to(rounds, cut_short(host));
}

}  // namespace

void measure_into(Measured &measured, std::span<const Gate *const> gates, Session &session) {
  std::vector<Field> columns;
  for (const Field &column : session.columns())
    if (session.applies(column)) columns.push_back(column);
  const bool histograms = std::holds_alternative<HistogramSpec>(session.view().shape);
  session.out().only(std::make_unique<Meter>(gates, std::move(columns), histograms, measured));
}

Rounds run_tools(std::span<const Gate> gates, uint64_t times, Session &host) {
  Rounds rounds;
  rounds.of.resize(gates.size());
  for (uint64_t i = 0; i < times && rounds.status == 0; i++) {
    if (i != 0) host.renew();
    if (i + 1 < times) host.keep(kToRunAgain);
    run_once(gates, host, rounds);
    rounds.status = host.command_status();
  }
  return rounds;
}

std::string losses_text(const Gate &gate, const Measured &measured) {
  std::vector<std::string> texts;
  const std::string_view harmless = gate.metric().harmless;
  for (const Loss &loss : measured.losses)
    if (loss.count != 0 && (harmless.empty() || !loss.reason.starts_with(harmless))) texts.push_back(lost_text(loss));
  return comma_list(texts);
}

}  // namespace strata
