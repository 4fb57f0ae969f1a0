// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/wait_reason.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace strata {
namespace {

struct Place {
  std::string_view function, reason;
};

// Sorted by function.
constexpr Place kPlaces[] = {
    {"____sys_recvmsg", "socket"},
    {"__do_semtimedop", "ipc"},  // since 5.16; before, do_semtimedop
    {"__do_sys_pause", "signal"},
    {"__futex_wait", "futex"},
    {"__sys_accept4", "socket"},
    {"__sys_connect", "socket"},
    {"__sys_recvfrom", "socket"},
    {"__sys_sendmsg", "socket"},
    {"__sys_sendto", "socket"},
    {"__x64_sys_pause", "signal"},
    {"anon_pipe_read", "pipe"},  // since 6.15; before, pipe_read
    {"anon_pipe_write", "pipe"},
    {"asm_exc_page_fault", "fault"},
    {"core_sys_select", "poll"},
    {"do_epoll_wait", "poll"},
    {"do_futex", "futex"},
    {"do_mq_timedreceive", "ipc"},
    {"do_mq_timedsend", "ipc"},
    {"do_msgrcv", "ipc"},
    {"do_msgsnd", "ipc"},
    {"do_select", "poll"},
    {"do_semtimedop", "ipc"},
    {"do_sigtimedwait", "signal"},
    {"do_sys_poll", "poll"},
    {"do_user_addr_fault", "fault"},
    {"do_wait", "child"},
    {"exc_page_fault", "fault"},
    {"fifo_open", "pipe"},
    {"fifo_pipe_read", "pipe"},
    {"fifo_pipe_write", "pipe"},
    {"futex_lock_pi", "futex"},
    {"futex_wait", "futex"},
    {"futex_wait_multiple", "futex"},
    {"futex_wait_requeue_pi", "futex"},
    {"handle_mm_fault", "fault"},
    {"hrtimer_nanosleep", "sleep"},
    {"jbd2_log_wait_commit", "journal"},
    {"kernel_clone", "child"},  // of vfork()
    {"kernel_wait4", "child"},
    {"kernel_waitid", "child"},
    {"n_tty_read", "tty"},
    {"n_tty_write", "tty"},
    {"pipe_read", "pipe"},
    {"pipe_write", "pipe"},
    {"sigsuspend", "signal"},
    {"sock_read_iter", "socket"},
    {"sock_write_iter", "socket"},
    {"splice_from_pipe", "pipe"},
    {"splice_to_pipe", "pipe"},
    {"xfs_log_force_seq", "journal"},
};
static_assert(std::is_sorted(std::begin(kPlaces), std::end(kPlaces),
                             [](const Place &a, const Place &b) { return a.function < b.function; }));

std::string_view reason_of(std::string_view function) {
  function = function.substr(0, function.find('.'));  // a compiler's clone: .isra.0
  const auto *const at = std::lower_bound(std::begin(kPlaces), std::end(kPlaces), function,
                                          [](const Place &one, std::string_view name) { return one.function < name; });
  return at != std::end(kPlaces) && at->function == function ? at->reason : std::string_view();
}

}  // namespace

std::string_view wait_reason(std::string_view kernel_stack) {
  constexpr std::string_view kMark = "_[k]";
  for (const std::string_view frame : split(kernel_stack, '\n')) {
    if (!frame.ends_with(kMark)) continue;
    const std::string_view reason = reason_of(frame.substr(0, std::min(frame.find('+'), frame.size() - kMark.size())));
    if (!reason.empty()) return reason;
  }
  return {};
}

}  // namespace strata
