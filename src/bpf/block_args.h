// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The constants of bpf/lib/block/args.h.
#pragma once

namespace strata {

class Object;

void set_block_args(Object &object);

}  // namespace strata
