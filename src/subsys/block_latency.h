// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What biolatency and bioheat share: histograms of the times of requests, all but their default outputs
// (bpf/biolatency).
#pragma once

#include <span>

#include "bpf/variant.h"
#include "cli/option.h"
#include "run/view.h"
#include "subsys/block.h"
#include "subsys/cgroup_columns.h"

namespace strata {

class Object;
class Session;
class Values;

inline constexpr Option kBlockLatencyOptions[] = {
    {.name = "queued", .short_name = 'Q', .help = "time in the queue and at the device apart, and their sum"},
    choice_option(
        {.name = "time", .value = "total|queue|device", .help = "which part of it", .default_value = "total"}),
    {.name = "by-disk", .short_name = 'D', .help = "one for each disk"},
    {.name = "by-flags", .short_name = 'F', .help = "one for each operation and its flags"},
    {.name = "by-cgroup", .short_name = 'C', .help = "one for each cgroup that the I/O is charged to"},
    {.name = "by-process", .short_name = 'P', .help = "one for each process that issued I/O"},
    kByOwnerOption,
    kDiskOption,
    {.name = "passthrough", .help = "also driver commands (SG_IO), unlike iostat", .constant = "passthrough"},
};

extern const std::span<const Hook> kBlockLatencyHooks;
extern const HistogramSpec kBlockLatency;

void prepare_block_latency(Object &object);                                       // for a Programs
int trace_block_latency(const Values &values, Session &session, Object &object);  // for Tool::trace

}  // namespace strata
