// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata bioheat: biolatency as a heat map.
#include "bioheat.manual.h"
#include "biolatency.skel.h"
#include "run/tool.h"
#include "subsys/block_latency.h"

namespace strata {
namespace {

constexpr std::string_view kFormats[] = {"heatmap", "text", "json", "csv", "sql", "record"};
const View kViews[] = {{.name = "histograms", .shape = kBlockLatency, .formats = kFormats}};

}  // namespace

extern const Tool tool_bioheat = {
    .name = "bioheat",
    .subsystem = Subsystem::kDisks,
    .summary = "show the latency of block I/O as a heat map",
    .manual = kManual,
    .options = kBlockLatencyOptions,
    .interval = "1",
    .views = kViews,
    .programs = {.elf = biolatency_bpf::elf_bytes, .hooks = kBlockLatencyHooks, .prepare = prepare_block_latency},
    .trace = trace_block_latency,
};

}  // namespace strata
