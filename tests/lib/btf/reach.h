// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which instructions of a function can the verifier come to, once libbpf has filled in what this kernel has? A guard
// (bpf_core_field_exists and its like) is then a constant, and what it guards is dead code where it does not hold: that
// code may ask for what the kernel has not. This follows constants through registers, spilled ones too, as the verifier
// does, and takes every branch that does not hang on them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "object.h"

namespace btfcheck {

// What libbpf puts into relocated instructions; nothing where it is not a matter of the path.
using Answers = std::map<uint32_t, std::optional<uint64_t>>;

// For each instruction of the function.
std::vector<bool> reached(const Section &section, const Function &function, const Answers &answers);

}  // namespace btfcheck
