// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/waits.h"

#include <algorithm>
#include <span>
#include <string>

#include "kern/syscall.h"

namespace strata {
namespace {

constexpr std::string_view kLocks[] = {"futex", "futex_wait", "futex_waitv", "flock", "fcntl", "semop", "semtimedop"};
constexpr std::string_view kPolls[] = {"epoll_wait", "epoll_pwait", "epoll_pwait2", "poll",
                                       "ppoll",      "select",      "pselect6",     "rt_sigtimedwait"};
constexpr std::string_view kSleeps[] = {"nanosleep", "clock_nanosleep"};
constexpr std::string_view kSyncs[] = {"fsync", "fdatasync", "sync_file_range", "msync", "sync", "syncfs"};
constexpr std::string_view kStreams[] = {"read",    "readv",  "recvfrom", "recvmsg",       "recvmmsg", "write",
                                         "writev",  "sendto", "sendmsg",  "sendmmsg",      "sendfile", "splice",
                                         "connect", "accept", "accept4",  "io_uring_enter"};
constexpr std::string_view kSignals[] = {
    "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"};
constexpr std::string_view kGives[] = {"write", "writev", "sendto", "sendmsg", "clone", "clone3"};
constexpr std::string_view kSends[] = {"write",  "writev", "sendto",   "sendmsg", "sendmmsg",  "sendfile",
                                       "splice", "close",  "shutdown", "exit",    "exit_group"};
constexpr std::string_view kWakes[] = {"futex", "futex_wake", "exit", "exit_group", "flock", "fcntl", "close", "semop"};

bool is_one_of(const std::string &name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

std::string name_of(int32_t call) { return call < 0 ? std::string() : syscall_name(static_cast<uint64_t>(call)); }

}  // namespace

std::string_view layer_of_cpu_wait(const query_hop &wait) { return wait.flags & QUERY_QUOTA ? kQuota : kRunQueue; }

std::string_view layer_of_wait(const query_hop &wait) {
  if (wait.flags & QUERY_PREEMPTED) return layer_of_cpu_wait(wait);
  if (wait.flags & QUERY_MEMORY) return kMemory;
  if (wait.flags & QUERY_IO) return kDisk;
  if (wait.call == QUERY_NO_CALL) return kOtherWait;
  if (wait.call < 0) return kPageFault;
  const std::string call = name_of(wait.call);
  if (is_one_of(call, kSyncs)) return kDisk;
  if (is_one_of(call, kSleeps)) return kSleep;
  if (is_one_of(call, kLocks)) return kLock;
  // Latches of PostgreSQL: who holds the row wakes the waiter by a signal.
  if (is_one_of(call, kPolls)) return is_one_of(name_of(wait.other_call), kSignals) ? kLock : kSocketWait;
  if (is_one_of(call, kStreams) && !(wait.flags & QUERY_DEEP)) return kSocketWait;
  return kOtherWait;
}

bool is_released(const query_hop &wait) {
  const std::string waker = name_of(wait.other_call);
  const std::string_view layer = layer_of_wait(wait);
  if (layer == kDisk)  // by a thread of the kernel, or another's commit; an interrupt is nobody's
    return wait.other_tid != 0 && (wait.other_call == QUERY_NO_CALL || is_one_of(waker, kSyncs));
  if (layer == kSocketWait)  // what TCP brings does so in an interrupt, or in another call that has to do with it
    return wait.flags & QUERY_BY_WAKER && is_one_of(waker, kSends);
  return layer == kLock && (is_one_of(waker, kWakes) || is_one_of(waker, kSignals));
}

bool may_hand_over(const query_hop &wake) {
  const std::string call = name_of(wake.call);
  return is_one_of(call, kWakes) || is_one_of(call, kSignals) || is_one_of(call, kGives);
}

}  // namespace strata
