// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/sample_event.h"

#include <linux/perf_event.h>

#include "base/test.h"

namespace strata {

TEST_CASE("events by perf's names") {
  const auto is = [](std::string_view text, uint32_t type, uint64_t config) {
    const std::optional<SampleEvent> event = sample_event(text);
    return event && event->type == type && event->config == config && event->user && event->kernel;
  };
  CHECK(is("cycles", PERF_TYPE_HARDWARE, 0));
  CHECK(is("instructions", PERF_TYPE_HARDWARE, 1));
  CHECK(is("cache-misses", PERF_TYPE_HARDWARE, 3));
  CHECK(is("branches", PERF_TYPE_HARDWARE, 4));
  CHECK(is("branch-misses", PERF_TYPE_HARDWARE, 5));
  CHECK(is("page-faults", PERF_TYPE_SOFTWARE, 2));
  CHECK(is("cs", PERF_TYPE_SOFTWARE, 3));
  CHECK(is("L1-dcache-loads", PERF_TYPE_HW_CACHE, 0));
  CHECK(is("L1-icache-load-misses", PERF_TYPE_HW_CACHE, 0x10001));
  CHECK(is("LLC-stores", PERF_TYPE_HW_CACHE, 0x102));
  CHECK(is("dTLB-store-misses", PERF_TYPE_HW_CACHE, 0x10103));
  CHECK(is("branch-loads", PERF_TYPE_HW_CACHE, 5));
  CHECK(is("node-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10206));
  CHECK(is("r01c0", PERF_TYPE_RAW, 0x1c0));
  CHECK(clock_event().config == sample_event("cpu-clock")->config);
}

TEST_CASE("events of one mode") {
  CHECK_FALSE(sample_event("cycles:u")->kernel);
  CHECK(sample_event("cycles:u")->user);
  CHECK_FALSE(sample_event("r1:k")->user);
  CHECK(sample_event("page-faults:k")->name == "page-faults:k");
}

TEST_CASE("what is no event") {
  for (const char *bad : {"", ":", ":u", "cycles:", "cycles:uk", "cycles:x", "cycle", "r", "rxyz", "r10000000000000000",
                          "LLC", "LLC-", "L1-icache-load-missesx", "cycles,instructions", "sched:sched_switch"})
    CHECK_FALSE(sample_event(bad));
}

}  // namespace strata
