// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Why the kernel dropped a packet: the names of enum skb_drop_reason, in which each kernel has its own numbers, and of
// the enums of subsystems, whose number is in the upper half.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace strata {

std::set<std::string> drop_reason_types();      // the kernel's enumerations that have them
bool has_drop_reasons();                        // of the running kernel: since 5.17
std::string drop_reason_name(uint32_t reason);  // "NO_SOCKET", "QDISC_DROP_OVERLIMIT", "OPENVSWITCH:5"; unknown: "300"
std::optional<uint32_t> drop_reason_number(std::string_view name);  // or of a number

}  // namespace strata
