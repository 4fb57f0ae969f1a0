// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What has been allocated and not freed: each block is read once, and added to those of its process and stack. There
// are no sums in the kernel, which could race.
#pragma once

#include "run/intervals.h"

namespace strata {

class Allocators;
class Object;
class Values;

// All must live as long as what is given back.
ReadCounters outstanding_blocks(const Values &values, const Object &object, const Allocators &allocators);
ReadCounters outstanding_kernel_blocks(const Values &values, const Object &object);

// Nothing is wrong: what was allocated before the run is freed, too.
void say_unseen(const Object &object);

}  // namespace strata
