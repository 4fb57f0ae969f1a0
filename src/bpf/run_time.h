// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whether the kernel counts how long BPF programs run (BPF_ENABLE_STATS, since Linux 5.8), for short whiles in a run
// that has given up its privileges. To turn that on takes CAP_SYS_ADMIN, so a process of its own does it, which has
// only that and can do only that: it reads bytes from a socket, and ends when the other end is closed.
//
// Counting costs each run of each program on the host two looks at the clock, one of which counts as the program's: of
// a short one that can be most of it, and is taken off. Rejected: to leave it on.
#pragma once

#include <cstdint>

#include "base/fd.h"

namespace strata {

// Of programs, while it is counted.
struct RunTime {
  uint64_t ns = 0, runs = 0;

  RunTime operator-(const RunTime &before) const { return {.ns = ns - before.ns, .runs = runs - before.runs}; }
};

RunTime run_time_of(int program);  // a descriptor of one

class RunTimeSwitch {
 public:
  RunTimeSwitch();  // before anything is open that must be closed when this process closes it
  explicit operator bool() const { return static_cast<bool>(control_); }  // false: the host does not permit it
  void set(bool on);
  [[nodiscard]] uint64_t without_counting(const RunTime &time) const;  // ns

 private:
  Fd control_;
  double counting_ns_ = 0;  // of a run
};

}  // namespace strata
