// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The verdict on a gate, of what one run of the program or several have measured.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gate/baseline.h"
#include "gate/gate.h"
#include "gate/meter.h"
#include "model/judgement.h"
#include "model/loss.h"

namespace strata {

class Session;

inline constexpr int kFailsStatus = 3, kInvalidStatus = 4;

// `invalid`: why the runs say nothing about this gate; empty: they do. Counts have to hold in each run, distributions
// are those of all runs together, and have as many values as the gate needs. With a baseline neither may be worse than
// in that, if the gate is compared; what demands nothing else has to be there.
Judged judge(const Gate &gate, std::span<const Measurement> runs, std::string invalid,
             const Baseline *baseline = nullptr);

// As the session's output, which ends with it. The exit status: that of the command if it failed; a gate was not
// judged, one failed, none did.
int put_judgement(const Judgement &judgement, std::vector<Loss> losses, Session &session);

}  // namespace strata
