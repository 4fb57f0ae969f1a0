// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata follow send --udp and recv --udp, as chains.
#pragma once

#include "follow/chain.h"

namespace strata {

extern const std::span<const Hook> kUdpHooks;
extern const Chain kUdpSendChain, kUdpRecvChain;

}  // namespace strata
