// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/judge.h"

#include <utility>

#include "render/percentiles.h"
#include "run/session.h"

namespace strata {

Judged judge(const Gate &gate, std::span<const Measurement> runs, std::string invalid, const Baseline *baseline) {
  Judged judged = {.name = gate.name(),
                   .gate = gate.text(),
                   .metric = std::string(gate.metric().name),
                   .wanted = gate.wanted(),
                   .unit = gate.unit(),
                   .values = {},
                   .why = std::move(invalid),
                   .evidence = runs.back().evidence};
  bool holds = true;
  const auto look_at = [&](uint64_t number, const Evidence &evidence) {
    judged.values.push_back(number);
    if (!gate.demands() || gate.holds(number)) return;
    if (std::exchange(holds, false)) judged.evidence = evidence;
  };
  if (gate.is_of_all_runs()) {
    const Histogram values = values_of(runs);
    const uint64_t needed = gate.least_values();
    if (judged.why.empty() && values.count() < needed)
      judged.why = "of " + count_text(values.count()) + ", and " + std::to_string(needed) + " are needed";
    if (values.count() != 0) look_at(gate.number_of(values), runs.back().evidence);
  } else {
    for (const Measurement &run : runs) look_at(run.number, run.evidence);
  }
  if (!gate.compared()) baseline = nullptr;
  Change change;
  if (const Baseline::Entry *before = baseline != nullptr ? baseline->find(gate) : nullptr)
    change = change_of(gate, *before, runs);
  judged.baseline = change.before;
  if (baseline != nullptr && !change.before && !gate.demands() && judged.why.empty())
    judged.why = "not in the baseline (--update)";
  holds = holds && !change.worse;
  if (!judged.why.empty())
    judged.verdict = Verdict::kInvalid;
  else if (gate.demands() || change.before)
    judged.verdict = holds ? Verdict::kHolds : Verdict::kFails;
  return judged;
}

int put_judgement(const Judgement &judgement, std::vector<Loss> losses, Session &session) {
  session.out().put(judgement);
  session.report(std::move(losses));
  const int own_status = session.finish();
  if (judgement.status != 0) return judgement.status;
  if (judgement.count(Verdict::kInvalid) != 0) return kInvalidStatus;
  return judgement.count(Verdict::kFails) != 0 ? kFailsStatus : own_status;
}

}  // namespace strata
