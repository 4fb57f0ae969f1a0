// strata follow fsync, as a chain.
#pragma once

#include "follow/chain.h"

namespace strata {

extern const Chain kFsyncChain;

}  // namespace strata
