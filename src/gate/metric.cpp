// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A count is named in the plural ("fsyncs"), the distribution of how long each took in the singular ("fsync").
#include "gate/metric.h"

#include <algorithm>

#include "base/text.h"

namespace strata {
namespace {

using Of = Metric::Of;

constexpr Metric kMetrics[] = {
    {.name = "execs", .help = "programs that were executed", .tool = "execsnoop"},
    {.name = "opens", .help = "files that were opened, and calls that failed", .tool = "opensnoop"},
    {.name = "signals", .help = "signals that were sent", .tool = "sigsnoop"},
    {.name = "connects", .help = "attempts to connect by TCP", .tool = "tcpconnect"},
    {.name = "accepts", .help = "TCP connections that were accepted", .tool = "tcpaccept"},
    {.name = "lookups", .help = "lookups of hosts by the C library", .tool = "gethostlatency"},
    {.name = "syscalls",
     .help = "system calls",
     .tool = "syscount",
     .options = "--by=both",
     .of = Of::kSum,
     .column = "calls"},
    {.name = "failed_syscalls",
     .help = "those that failed",
     .tool = "syscount",
     .options = "--by=both",
     .of = Of::kSum,
     .column = "errors"},
    {.name = "bytes_read",
     .help = "by read(2) and its like, and by copies in the kernel",
     .tool = "iosize",
     .options = "--total",
     .of = Of::kSum,
     .column = "size_bytes",
     .only = "operation != write",
     .unit = Unit::kBytes},
    {.name = "bytes_written",
     .help = "by write(2) and its like, and by copies in the kernel",
     .tool = "iosize",
     .options = "--total",
     .of = Of::kSum,
     .column = "size_bytes",
     .only = "operation != read",
     .unit = Unit::kBytes},
    {.name = "allocated_outstanding",
     .help = "memory that was allocated and not freed",
     .tool = "memleak",
     .of = Of::kSum,
     .column = "size_bytes",
     .unit = Unit::kBytes,
     .harmless = "stack"},
    {.name = "tcp_bytes_sent",
     .help = "by TCP",
     .tool = "tcptop",
     .of = Of::kSum,
     .column = "tx_bytes",
     .unit = Unit::kBytes},
    {.name = "tcp_bytes_received",
     .help = "by TCP",
     .tool = "tcptop",
     .of = Of::kSum,
     .column = "rx_bytes",
     .unit = Unit::kBytes},
    {.name = "reads",
     .help = "reads of files",
     .tool = "fsdist",
     .options = "--by=process",
     .part = "--op=read",
     .only = "operation == read"},
    {.name = "writes",
     .help = "writes of files",
     .tool = "fsdist",
     .options = "--by=process",
     .part = "--op=write",
     .only = "operation == write"},
    {.name = "fsyncs",
     .help = "fsync(2) and fdatasync(2)",
     .tool = "fsdist",
     .options = "--by=process",
     .part = "--op=fsync",
     .only = "operation == fsync"},
    {.name = "open",
     .help = "how long opens of files take",
     .tool = "fsdist",
     .options = "--by=process",
     .part = "--op=open",
     .of = Of::kValues,
     .only = "operation == open",
     .unit = Unit::kNs},
    {.name = "read",
     .help = "how long reads of files take",
     .tool = "fsdist",
     .options = "--by=process",
     .part = "--op=read",
     .of = Of::kValues,
     .only = "operation == read",
     .unit = Unit::kNs},
    {.name = "write",
     .help = "how long writes of files take",
     .tool = "fsdist",
     .options = "--by=process",
     .part = "--op=write",
     .of = Of::kValues,
     .only = "operation == write",
     .unit = Unit::kNs},
    {.name = "fsync",
     .help = "how long fsync(2) and fdatasync(2) take",
     .tool = "fsdist",
     .options = "--by=process",
     .part = "--op=fsync",
     .of = Of::kValues,
     .only = "operation == fsync",
     .unit = Unit::kNs},
    {.name = "disk_ios", .help = "requests of disks that it issued", .tool = "biolatency", .options = "--by-process"},
    {.name = "disk_io",
     .help = "how long they take",
     .tool = "biolatency",
     .options = "--by-process",
     .of = Of::kValues,
     .unit = Unit::kNs},
    {.name = "run_queue",
     .help = "how long threads that could run wait for a CPU",
     .tool = "runqlat",
     .options = "--by-process",
     .of = Of::kValues,
     .unit = Unit::kNs},
    {.name = "connect",
     .help = "how long connections take, up to the answer",
     .tool = "tcpconnect",
     .of = Of::kValues,
     .column = "lat_ns",
     .unit = Unit::kNs},
    {.name = "lookup",
     .help = "how long lookups of hosts take",
     .tool = "gethostlatency",
     .of = Of::kValues,
     .column = "lat_ns",
     .unit = Unit::kNs},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric *find_metric(std::string_view name) {
  const auto *found = std::ranges::find(kMetrics, name, &Metric::name);
  return found == std::end(kMetrics) ? nullptr : found;
}

std::string metrics_text() {
  std::string text;
  for (const Metric &metric : kMetrics)
    text += padded(metric.name, -22) + (metric.of == Of::kValues ? "distribution  " : "number        ") +
            padded(metric.tool, -15) + std::string(metric.help) + "\n";
  return text;
}

}  // namespace strata
