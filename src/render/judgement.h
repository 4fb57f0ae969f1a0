// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What all reports on gates say in the same words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/judgement.h"

namespace strata {

std::string_view name_of(Verdict verdict);   // "holds", "fails", "invalid", "measured"; of json, too
std::string label_of(const Judged &judged);  // "no shell: execs(file ~ '/sh$') == 0", or without a name
// "131", "12.3ms", in several runs "118, 131"; or why the run says nothing.
std::string got_text(const Judged &judged);
// The rows as lines of text with a head; empty without rows.
std::vector<std::string> evidence_lines(const Evidence &evidence, const Clocks &clocks);
std::string totals_text(const Judgement &judgement);  // "2 gates hold, 1 fails; 3 runs"

}  // namespace strata
