// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow write, as a chain.
#pragma once

#include "follow/chain.h"

namespace strata {

extern const Chain kWriteChain;

}  // namespace strata
