// strata follow read, as a chain.
#pragma once

#include "follow/chain.h"

namespace strata {

extern const Chain kReadChain;

}  // namespace strata
