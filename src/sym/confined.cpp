// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/confined.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace strata {
namespace {

constexpr rlim_t kMostSeconds = 10, kMostMemory = rlim_t{2} << 30;  // lines of libc take 0.1 s and 30 MB
constexpr rlim_t kMostWritten = 64 << 20;

void close_all_but(std::span<const int> descriptors) {
  std::vector<int> kept(descriptors.begin(), descriptors.end());
  std::sort(kept.begin(), kept.end());
  unsigned next = 0;
  for (const int fd : kept) {
    if (fd < 0) continue;
    if (static_cast<unsigned>(fd) > next) close_range(next, static_cast<unsigned>(fd) - 1, 0);
    next = static_cast<unsigned>(fd) + 1;
  }
  close_range(next, ~0U, 0);
}

bool limit(__rlimit_resource what, rlim_t most) {
  const rlimit both = {.rlim_cur = most, .rlim_max = most};
  return setrlimit(what, &both) == 0;
}

bool give_up_all() {
  __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct nothing[_LINUX_CAPABILITY_U32S_3] = {};
  return limit(RLIMIT_CPU, kMostSeconds) && limit(RLIMIT_AS, kMostMemory) && limit(RLIMIT_FSIZE, kMostWritten) &&
         limit(RLIMIT_NOFILE, 0) && limit(RLIMIT_CORE, 0) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_capset, &head, nothing) == 0;
}

}  // namespace

bool confine(std::span<const int> kept) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(signal, SIG_IGN);  // the asker ends by them
  close_all_but(kept);
  return give_up_all();
}

}  // namespace strata
