// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow send, as a chain.
#pragma once

#include "follow/chain.h"
#include "follow/send/hops.h"

namespace strata {

extern const std::span<const Hook> kSendHooks;
extern const Chain kSendChain;

}  // namespace strata
