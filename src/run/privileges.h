// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Once everything is attached, a run gives up its capabilities: what other processes choose (names, files, packets)
// is read by a process that can do nothing but that. What a tool still needs then, it keeps by Session::keep().
#pragma once

#include <cstdint>
#include <string>

namespace strata {

// What is done after everything is attached; several may be joined by |.
using Needs = uint32_t;
inline constexpr Needs kToAttach = 1;         // programs: when a window opens, a CPU comes online, a library appears
inline constexpr Needs kToSeeProcesses = 2;   // of others: their files, mappings and namespaces in /proc
inline constexpr Needs kToEnterNetns = 4;     // other network namespaces
inline constexpr Needs kToReadSymbols = 8;    // addresses in /proc/kallsyms
inline constexpr Needs kToSignal = 16;        // a command that runs as another user
inline constexpr Needs kToReplaceFiles = 32;  // in directories of others, with their owner
inline constexpr Needs kToRunAgain = 64;      // programs and a command, as in this run: all of them

// Of all five sets, for good. The names of those that stay, "CAP_KILL CAP_BPF": CAP_BPF and CAP_SYS_ADMIN also where
// the kernel asks for them to read a map (before Linux 5.19) or open a perf event (Debian's). That is tried. Throws
// Error.
std::string give_up_privileges(Needs needs);

}  // namespace strata
