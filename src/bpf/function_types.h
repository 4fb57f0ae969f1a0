// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The type by which the kernel knows the functions of a program that is made at run time: it wants one of each where a
// helper calls one of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <linux/bpf.h>

#include "base/fd.h"

namespace strata {

struct FunctionTypes {
  Fd types;  // in the kernel
  std::vector<bpf_func_info> functions;
};

// Of a program whose functions begin at these instructions, each after the one before; throws Error.
FunctionTypes load_function_types(std::span<const uint32_t> first_instructions);

}  // namespace strata
