// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/kernel_functions.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/nearest.h"
#include "base/outlet.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/probe_name.h"
#include "btf/kernel_types.h"
#include "kern/tracefs.h"

namespace strata {
namespace {

constexpr size_t kMany = 200;

struct Nearby {
  std::string_view function, category, name;  // of system calls without sys_enter_ and sys_exit_
};
constexpr Nearby kNearby[] = {
    {"vfs_read", "syscalls", "read"},
    {"vfs_write", "syscalls", "write"},
    {"vfs_fsync", "syscalls", "fsync"},
    {"vfs_open", "syscalls", "openat"},
    {"do_sys_open", "syscalls", "openat"},
    {"do_sys_openat2", "syscalls", "openat"},
    {"do_unlinkat", "syscalls", "unlinkat"},
    {"do_nanosleep", "syscalls", "clock_nanosleep"},
    {"tcp_v4_connect", "syscalls", "connect"},
    {"tcp_v6_connect", "syscalls", "connect"},
    {"tcp_connect", "sock", "inet_sock_set_state"},
    {"tcp_set_state", "sock", "inet_sock_set_state"},
    {"tcp_sendmsg", "sock", "sock_send_length"},
    {"tcp_recvmsg", "sock", "sock_recv_length"},
    {"tcp_rcv_established", "tcp", "tcp_probe"},
    {"dev_queue_xmit", "net", "net_dev_queue"},
    {"__dev_queue_xmit", "net", "net_dev_queue"},
    {"ip_output", "net", "net_dev_queue"},
    {"submit_bio", "block", "block_bio_queue"},
    {"submit_bio_noacct", "block", "block_bio_queue"},
    {"bio_endio", "block", "block_bio_complete"},
    {"blk_mq_start_request", "block", "block_rq_issue"},
    {"blk_account_io_done", "block", "block_rq_complete"},
    {"schedule", "sched", "sched_switch"},
    {"finish_task_switch", "sched", "sched_switch"},
    {"try_to_wake_up", "sched", "sched_waking"},
    {"wake_up_process", "sched", "sched_waking"},
    {"wake_up_new_task", "sched", "sched_wakeup_new"},
    {"do_exit", "sched", "sched_process_exit"},
    {"bprm_execve", "sched", "sched_process_exec"},
    {"kernel_clone", "sched", "sched_process_fork"},
    {"oom_kill_process", "oom", "mark_victim"},
    {"handle_mm_fault", "exceptions", "page_fault_user"},
    {"alloc_pages", "kmem", "mm_page_alloc"},
    {"__kmalloc", "kmem", "kmalloc"},
    {"do_signal_send", "signal", "signal_generate"},
};

}  // namespace

std::vector<std::string> find_kernel_functions(const std::string &name, const std::string &module) {
  if (!module.empty() && module != "*") {
    std::vector<std::string> names = functions_of_module(module, name);
    if (names.empty())
      throw Error("the module " + printable(module) + " has no function " + printable(name) +
                  "; functions of modules are there when those are loaded");
    return names;
  }
  if (is_pattern(name)) {
    std::vector<std::string> names = functions_like(name);
    if (names.empty()) throw Error("this kernel has no functions " + printable(name));
    return names;
  }
  if (!has_function(name))
    throw Error("this kernel has no function " + printable(name) + meant(name, functions_like("*")) +
                "; it may be inlined, or in a module that is not loaded");
  return {name};
}

void say_one_by_one(size_t functions) {
  if (functions > kMany)
    say("%zu functions are attached to one by one, which takes some seconds, and at the end some more\n", functions);
}

NearbyTracepoint nearby_tracepoint(std::string_view function, bool returns) {
  if (has_tracepoint(std::string(function))) return {.category = "", .name = std::string(function)};
  NearbyTracepoint near;
  for (const std::string_view prefix : {"__x64_sys_", "__arm64_sys_", "__se_sys_", "__do_sys_", "ksys_", "sys_"})
    if (near.name.empty() && function.starts_with(prefix))
      near = {.category = "syscalls", .name = std::string(function.substr(prefix.size()))};
  const auto *known = std::ranges::find(kNearby, function, &Nearby::function);
  if (known != std::end(kNearby)) near = {.category = std::string(known->category), .name = std::string(known->name)};
  if (near.category == "syscalls") {
    near.name = (returns ? "sys_exit_" : "sys_enter_") + near.name;
    return Tracefs().id(near.category, near.name) ? near : NearbyTracepoint{};
  }
  return has_tracepoint(near.name) ? near : NearbyTracepoint{};
}

}  // namespace strata
