// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow query, as a chain.
#pragma once

#include "follow/chain.h"
#include "follow/query/hops.h"

namespace strata {

extern const std::span<const Hook> kQueryHooks;
extern const Chain kQueryChain;

}  // namespace strata
