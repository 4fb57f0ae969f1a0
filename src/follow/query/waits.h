// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a thread waited for, by the system call that it slept in, how it slept, and how it was woken.
#pragma once

#include <string_view>

#include "follow/query.h"

namespace strata {

inline constexpr std::string_view kRunQueue = "run queue", kQuota = "quota", kDisk = "disk", kMemory = "memory",
                                  kLock = "lock", kSocketWait = "socket", kSleep = "sleep", kPageFault = "page fault",
                                  kOtherWait = "wait";

// The layer of a QUERY_WAIT's sleep; of one that was preempted, as the next.
std::string_view layer_of_wait(const query_hop &wait);
// In which it then wanted a CPU.
std::string_view layer_of_cpu_wait(const query_hop &wait);

// Who woke the thread let go of what it waited for: true only where the waker's own system call says so.
bool is_released(const query_hop &wait);

// The thread of a QUERY_WAKE may have given work to the other one: false where an interrupt that it met did so.
bool may_hand_over(const query_hop &wake);

}  // namespace strata
