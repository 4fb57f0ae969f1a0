// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What this host permits, and which tools run on it, as rows: about, name, state, detail, program, verified_insns.
#pragma once

#include <span>

namespace strata {

class Session;
struct Tool;

// `load`: load and attach what each tool does, and count. The exit status: 0, whatever is missing.
int run_doctor(Session &session, std::span<const Tool *const> tools, bool load);

}  // namespace strata
