// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/run_time.h"

#include <linux/bpf.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace strata {
namespace {

constexpr char kOn = '1', kOff = '0', kRefused = '-';

Fd counting() {
  bpf_attr attributes = {};
  attributes.enable_stats.type = BPF_STATS_RUN_TIME;
  return Fd(static_cast<int>(syscall(SYS_bpf, BPF_ENABLE_STATS, &attributes, sizeof(attributes))));
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

RunTimeSwitch::RunTimeSwitch() {
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
