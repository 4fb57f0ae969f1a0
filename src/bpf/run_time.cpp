// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/run_time.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <iterator>
#include <limits>

namespace strata {
namespace {

constexpr char kOn = '1', kOff = '0', kRefused = '-';

Fd counting() {
  bpf_attr attributes = {};
  attributes.enable_stats.type = BPF_STATS_RUN_TIME;
  return Fd(static_cast<int>(syscall(SYS_bpf, BPF_ENABLE_STATS, &attributes, sizeof(attributes))));
}

// What the kernel counts of a run in which nothing is done, in ns: of many the quickest hundred, as others interrupt.
double measured_counting() {
  const bpf_insn nothing[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
                              {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0}};
  const Fd program(
      bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "strata_nothing", "GPL", nothing, std::size(nothing), nullptr));
  RunTime before;
  double least = std::numeric_limits<double>::infinity();
  for (int batch = 0; program && batch < 20; batch++) {
    for (int i = 0; i < 100; i++) {
      bpf_test_run_opts options = {.sz = sizeof(options)};
      if (bpf_prog_test_run_opts(program.get(), &options) != 0) return 0;
    }
    const RunTime now = run_time_of(program.get()), of_batch = now - before;
    before = now;
    if (of_batch.runs != 0)
      least = std::min(least, static_cast<double>(of_batch.ns) / static_cast<double>(of_batch.runs));
  }
  return least == std::numeric_limits<double>::infinity() ? 0 : least;
}

bool keep_admin_alone() {
  __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct data[2] = {};
  data[0].effective = data[0].permitted = 1U << CAP_SYS_ADMIN;
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  return syscall(SYS_capset, &header, data) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

[[noreturn]] void serve(int control) {
  syscall(SYS_close_range, control + 1, UINT32_MAX, 0);
  for (int fd = 0; fd < control; fd++) close(fd);
  setsid();  // no Ctrl-C ends it
  prctl(PR_SET_NAME, "strata-runtime");
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Fd on;
  if (keep_admin_alone()) on = counting();
  char byte = on ? kOff : kRefused;
  on.reset();
  bool alive = send(control, &byte, 1, MSG_NOSIGNAL) == 1 && byte != kRefused;
  while (alive && read(control, &byte, 1) == 1) {
    if (byte == kOn && !on) on = counting();
    if (byte == kOff) on.reset();
  }
  _exit(0);
}

}  // namespace

RunTime run_time_of(int program) {
  bpf_prog_info info = {};
  uint32_t size = sizeof(info);
  if (bpf_obj_get_info_by_fd(program, &info, &size) != 0) return {};
  return {.ns = info.run_time_ns, .runs = info.run_cnt};
}

uint64_t RunTimeSwitch::without_counting(const RunTime &time) const {
  if (!control_) return 0;  // somebody else has it counted
  return time.ns - std::min(time.ns, static_cast<uint64_t>(static_cast<double>(time.runs) * counting_ns_));
}

RunTimeSwitch::RunTimeSwitch() {
  if (const Fd on = counting()) counting_ns_ = measured_counting();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  Fd own(ends[0]), other(ends[1]);
  const pid_t pid = fork();
  if (pid == 0) serve(other.release());
  other.reset();
  char byte = kRefused;
  if (pid > 0 && read(own.get(), &byte, 1) == 1 && byte == kOff) control_ = std::move(own);
}

void RunTimeSwitch::set(bool on) {
  const char byte = on ? kOn : kOff;
  if (control_ && send(control_.get(), &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1) control_.reset();
}

}  // namespace strata
