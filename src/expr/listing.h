// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Instructions as people read them.
#pragma once

#include <string>

#include "expr/plan.h"

namespace strata::expr {

// One a line, with its number; a jump names the one it leads to, which has a > in front:
//
//     0  r6 = r1
//     1  call get_current_pid_tgid
//     2  if r0 == 4711 goto 4
//     3  r0 += 1
// >   4  exit
std::string listing_of(const Half &half, const Plan &plan);

}  // namespace strata::expr
