// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a datagram has of its own, where it is sent or where it arrives: outcomes and layers. Its columns and hops are
// those of send and recv (follow/send/hops.h, follow/recv/hops.h).
#pragma once

#include <string_view>

#include "follow/collector.h"
#include "model/sample.h"

namespace strata {

// What a datagram can come to beside completed (it was read), failed, dropped, not read and lost.
inline constexpr Outcome kSent{.key = "sent", .name = "sent", .is_good = true};  // by its device
inline constexpr Outcome kTaken{.key = "taken", .name = "taken over", .is_good = true};
inline constexpr Outcome kCorked{.key = "corked", .name = "corked", .is_good = true};  // a later call sends it
inline constexpr Outcome kNotSent{.key = "pending", .name = "not sent"};               // when the run ended
extern const Procedure kDatagramSendProcedure, kDatagramRecvProcedure;

inline constexpr std::string_view kNeighbour = "neighbour", kQdisc = "qdisc";

}  // namespace strata
