// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Text to trees. The language is bpftrace's, with ply's method calls; what differs is in tools/run/run.md.
#pragma once

#include <span>
#include <string>

#include "expr/ast.h"
#include "expr/source.h"

namespace strata::expr {

// $1 and so on are `parameters`; what was not given is 0, or "" within str(). Throws Error.
Program parse(const Source &source, std::span<const std::string> parameters = {});

// The whole name of a kind of probe: "k" is kprobe, "BEGIN" is begin; empty if there is none.
std::string_view probe_kind(std::string_view word);

}  // namespace strata::expr
