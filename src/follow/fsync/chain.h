// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow fsync, as a chain.
#pragma once

#include "follow/chain.h"

namespace strata {

extern const Chain kFsyncChain;

}  // namespace strata
