// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/shown_samples.h"

#include <memory>

#include "follow/sample_condition.h"
#include "run/session.h"

namespace strata {

void add_when(Thresholds &thresholds, const Session &session, std::span<const std::string_view> layers,
              const SampleColumns &columns) {
  if (session.when().empty()) return;
  const auto owner = [&columns](const Sample &sample, std::string_view key) { return columns.owner(sample, key); };
  const auto condition = std::make_shared<const SampleCondition>(session.when(), session.columns(), layers, owner);
  thresholds.when = "--when '" + session.when() + "'";
  thresholds.holds = [condition](const Sample &sample) { return condition->holds(sample); };
}

}  // namespace strata
