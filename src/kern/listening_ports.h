// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The TCP ports that processes listen on.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace strata {

// Of any of the processes, in any network namespace that may be entered. Throws Error as tcp_sockets() does.
std::set<uint64_t> listening_ports(const std::vector<uint64_t> &tgids);

}  // namespace strata
