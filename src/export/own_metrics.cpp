// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the page says of the exporter itself, by the names that Prometheus' own libraries give such metrics.
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <memory>

#include "base/clock.h"
#include "export/exporter.h"
#include "run/session.h"

namespace strata {
namespace {

uint64_t resident_bytes() {
  struct Close {
    void operator()(FILE *file) const { fclose(file); }
  };
  const std::unique_ptr<FILE, Close> file(fopen("/proc/self/statm", "re"));
  unsigned long long pages = 0;
  if (!file || fscanf(file.get(), "%*u %llu", &pages) != 1) return 0;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

Labels tool_label(const Exported &one) { return {{"tool", std::string(one.found.tool->name)}}; }

}  // namespace

void Exporter::add_own(Families &families) {
  constexpr auto kGauge = MetricType::kGauge, kCounter = MetricType::kCounter;
  families.of("strata_build_info", kGauge, {}, "1, and the version of strata.").add({{"version", STRATA_VERSION}}, 1);
  families.of("process_cpu_seconds", kCounter, kOfNs, "CPU time of the exporter, without that of BPF programs.")
      .add({}, clock_ns(CLOCK_PROCESS_CPUTIME_ID));
  families.of("process_resident_memory_bytes", kGauge, kOfBytes, "Memory of the exporter.").add({}, resident_bytes());
  families.of("process_start_time_seconds", kGauge, kOfNs, "When the exporter began, since 1970.")
      .add({}, host_.clocks().realtime_ns);
  families.of("strata_scrapes", kCounter, {}, "Requests for this page.").add({}, scrapes_);
  families.of("strata_scrape_duration_seconds", kGauge, kOfNs, "How long it took to make the page, the last time.")
      .add({}, scrape_ns_);
  families
      .of("strata_budget_ratio", kGauge, kOfMillionths,
          "CPU time that programs and the reading of what they count may take.")
      .add({}, budget_.millionths());
  families
      .of("strata_cost_ratio", kGauge, kOfMillionths,
          "CPU time of the exporter and its programs in the last measurement.")
      .add({}, budget_.cost());
}

void Exporter::add_tools(Families &families) {
  Family &up = families.of("strata_up", MetricType::kGauge, {}, "1: the tool is attached.");
  Family &detached =
      families.of("strata_budget_detached", MetricType::kGauge, {}, "1: the tool cost too much, and was detached.");
  Family &one_in = families.of("strata_sampled_one_in", MetricType::kGauge, {},
                               "1: the tool looks at each event; 8: at one in so many, chosen by chance, which counts "
                               "eightfold.");
  Family &cost =
      families.of("strata_tool_cost_ratio", MetricType::kGauge, kOfMillionths,
                  "CPU time of the tool's programs and of reading what they count, in the last measurement.");
  Family &read = families.of("strata_collect_duration_seconds", MetricType::kGauge, kOfNs,
                             "How long it took to read the tool's counters, the last time.");
  for (const Exported &one : tools_) {
    up.add(tool_label(one), one.is_up());
    detached.add(tool_label(one), one.state == Exported::State::kDetached);
    if (one.is_up() && one.one_in != 0) one_in.add(tool_label(one), one.one_in);
    if (one.cost) cost.add(tool_label(one), one.cost->all());
    if (one.is_up()) read.add(tool_label(one), one.read_ns);
  }
}

void Exporter::add_push(Families &families) {
  Family &sent = families.of("strata_push_sent", MetricType::kCounter, {}, "Messages that the collector took.");
  Family &failed = families.of("strata_push_failed", MetricType::kCounter, {}, "Messages that it did not take.");
  Family &dropped = families.of("strata_push_dropped", MetricType::kCounter, {},
                                "Spans, or messages of metrics, that nobody took before there were too many.");
  for (const auto &[signal, name] : {std::pair{Signal::kMetrics, "metrics"}, std::pair{Signal::kTraces, "traces"}}) {
    const Pusher::Counts &counts = pusher_->of(signal);
    sent.add({{"signal", name}}, counts.sent);
    failed.add({{"signal", name}}, counts.failed);
    dropped.add({{"signal", name}}, counts.dropped);
  }
}

}  // namespace strata
