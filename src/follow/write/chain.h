// strata follow write, as a chain.
#pragma once

#include "follow/chain.h"

namespace strata {

extern const Chain kWriteChain;

}  // namespace strata
