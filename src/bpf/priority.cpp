// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/priority.h"

#include <sched.h>
#include <sys/resource.h>

namespace strata {
namespace {

constexpr int kHighestNice = -20;

bool is_usual() { return sched_getscheduler(0) == SCHED_OTHER && getpriority(PRIO_PROCESS, 0) == 0; }

}  // namespace

ReaderPriority::ReaderPriority() : raised_(is_usual()) {
  if (!raised_) return;
  const sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_RR)};
  if (sched_setscheduler(0, SCHED_RR, &lowest) != 0) setpriority(PRIO_PROCESS, 0, kHighestNice);
}

ReaderPriority::~ReaderPriority() {
  if (!raised_) return;
  const sched_param none = {};
  sched_setscheduler(0, SCHED_OTHER, &none);
  setpriority(PRIO_PROCESS, 0, 0);
}

}  // namespace strata
