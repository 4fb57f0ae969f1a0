// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow recv, as a chain.
#pragma once

#include "follow/chain.h"
#include "follow/recv/hops.h"

namespace strata {

extern const std::span<const Hook> kRecvHooks;
extern const Chain kRecvChain;

}  // namespace strata
