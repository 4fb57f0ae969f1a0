// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/sample_event.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace strata {
namespace {

struct Name {
  std::string_view name;
  uint32_t type;
  uint64_t config;
};

constexpr Name kNames[] = {
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"cpu", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
};

// In the order of their numbers in the kernel (enum perf_hw_cache_id, and op | result << 8).
constexpr std::string_view kCaches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
constexpr Name kAccesses[] = {
    {"-loads", 0, 0},      {"-load-misses", 0, 0x100},     {"-stores", 0, 1}, {"-store-misses", 0, 0x101},
    {"-prefetches", 0, 2}, {"-prefetch-misses", 0, 0x102},
};
static_assert(PERF_COUNT_HW_CACHE_NODE == std::size(kCaches) - 1 && PERF_COUNT_HW_CACHE_OP_PREFETCH == 2 &&
              PERF_COUNT_HW_CACHE_RESULT_MISS == 1);

std::optional<SampleEvent> cache_event(std::string_view name) {
  for (size_t cache = 0; cache < std::size(kCaches); cache++) {
    if (!name.starts_with(kCaches[cache])) continue;
    const std::string_view rest = name.substr(kCaches[cache].size());
    for (const Name &access : kAccesses)
      if (rest == access.name) return SampleEvent{.type = PERF_TYPE_HW_CACHE, .config = cache | access.config << 8};
  }
  return std::nullopt;
}

// "r01c0", the processor's own number for it.
std::optional<SampleEvent> raw_event(std::string_view name) {
  SampleEvent event = {.type = PERF_TYPE_RAW};
  const char *const end = name.data() + name.size();
  if (name.size() < 2 || name.front() != 'r') return std::nullopt;
  const auto [at, error] = std::from_chars(name.data() + 1, end, event.config, 16);
  return at == end && error == std::errc() ? std::optional(event) : std::nullopt;
}

std::optional<SampleEvent> named_event(std::string_view name) {
  const Name *const found =
      std::find_if(std::begin(kNames), std::end(kNames), [&](const Name &one) { return one.name == name; });
  if (found != std::end(kNames)) return SampleEvent{.type = found->type, .config = found->config};
  const std::optional<SampleEvent> cache = cache_event(name);
  return cache ? cache : raw_event(name);
}

}  // namespace

std::optional<SampleEvent> sample_event(std::string_view text) {
  const std::string_view name = text.substr(0, text.rfind(':')), mode = text.substr(name.size());
  std::optional<SampleEvent> event = named_event(name);
  if (!event || (!mode.empty() && mode != ":u" && mode != ":k")) return std::nullopt;
  event->user = mode != ":k";
  event->kernel = mode != ":u";
  event->name = text;
  return event;
}

SampleEvent clock_event() { return {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK}; }

}  // namespace strata
