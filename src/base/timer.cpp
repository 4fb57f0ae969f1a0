// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/timer.h"

#include <sys/timerfd.h>

#include <ctime>

#include "base/error.h"

namespace strata {
namespace {

Fd timer(clockid_t clock, int flags, uint64_t first_ns, uint64_t interval_ns) {
  Fd timer(timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK));
  const auto spec = [](uint64_t ns) {
    return timespec{.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
                    .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
  };
  const itimerspec times = {.it_interval = spec(interval_ns), .it_value = spec(first_ns)};
  if (!timer || timerfd_settime(timer.get(), flags, &times, nullptr) != 0) throw system_error("cannot set a timer");
  return timer;
}

}  // namespace

Fd timer_after(uint64_t first_ns, uint64_t interval_ns) { return timer(CLOCK_MONOTONIC, 0, first_ns, interval_ns); }
Fd timer_at(uint64_t realtime_ns) { return timer(CLOCK_REALTIME, TFD_TIMER_ABSTIME, realtime_ns, 0); }

}  // namespace strata
