// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whether the kernel counts how long BPF programs run (BPF_ENABLE_STATS, since Linux 5.8), for short whiles in a run
// that has given up its privileges. To turn that on takes CAP_SYS_ADMIN, so a process of its own does it, which has
// only that and can do only that: it reads bytes from a socket, and ends when the other end is closed.
//
// Counting costs each run of each program on the host two looks at the clock. Rejected: to leave it on.
#pragma once

#include "base/fd.h"

namespace strata {

class RunTimeSwitch {
 public:
  RunTimeSwitch();  // before anything is open that must be closed when this process closes it
  explicit operator bool() const { return static_cast<bool>(control_); }  // false: the host does not permit it
  void set(bool on);

 private:
  Fd control_;
};

}  // namespace strata
