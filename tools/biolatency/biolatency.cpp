// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata biolatency: how long block I/O takes.
#include "biolatency.manual.h"
#include "biolatency.skel.h"
#include "run/tool.h"
#include "subsys/block_latency.h"

namespace strata {
namespace {

const View kViews[] = {{.name = "histograms", .shape = kBlockLatency}};

}  // namespace

extern const Tool tool_biolatency = {
    .name = "biolatency",
    .subsystem = Subsystem::kDisks,
    .summary = "show the latency of block I/O as a histogram",
    .manual = kManual,
    .options = kBlockLatencyOptions,
    .views = kViews,
    .programs = {.elf = biolatency_bpf::elf_bytes, .hooks = kBlockLatencyHooks, .prepare = prepare_block_latency},
    .trace = trace_block_latency,
};

}  // namespace strata
