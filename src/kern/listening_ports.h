// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The TCP ports that processes listen on.
#pragma once

#include <cstdint>
#include <functional>
#include <set>

namespace strata {

// Of any process that is asked for, in any network namespace that may be entered. Throws Error as tcp_sockets() does.
std::set<uint64_t> listening_ports(const std::function<bool(uint32_t tgid)> &passes);

}  // namespace strata
