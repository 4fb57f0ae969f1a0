// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The runs of the tools that measure gates.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gate/gate.h"
#include "gate/gates.h"
#include "gate/meter.h"
#include "model/loss.h"

namespace strata {

class Session;

// What all runs of the program say of a gate.
struct OfGate {
  std::vector<Measurement> measurements;
  std::string invalid;  // why they say nothing about it; empty: they do
};
struct Rounds {
  std::vector<OfGate> of;    // each gate
  std::vector<Loss> losses;  // of all tools
  int status = 0;            // of the first command that failed, which is the last one
};

// Instead of the outputs of the session, whose columns are known.
void measure_into(Measured &measured, std::span<const Gate *const> gates, Session &session);

// So many times: attaches all tools, lets the host's command go, and detaches them when that has ended. Throws Error;
// with kInvalidStatus where nothing could be measured.
Rounds run_tools(std::span<const Gate> gates, uint64_t times, Session &host);

// "lost 12: ring buffer full"; empty if nothing was lost that this gate is about.
std::string losses_text(const Gate &gate, const Measured &measured);

}  // namespace strata
