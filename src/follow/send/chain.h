// strata follow send, as a chain.
#pragma once

#include "follow/chain.h"

namespace strata {

extern const std::span<const Hook> kSendHooks;
extern const Chain kSendChain;

}  // namespace strata
