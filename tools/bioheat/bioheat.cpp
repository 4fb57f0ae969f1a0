// strata bioheat: biolatency as a heat map.
#include "bioheat.manual.h"
#include "biolatency.skel.h"
#include "bpf/object.h"
#include "run/tool.h"
#include "subsys/block_latency.h"

namespace strata {
namespace {

const Programs kPrograms[] = {
    {.elf = biolatency_bpf::elf_bytes, .hooks = kBlockLatencyHooks, .prepare = prepare_block_latency}};
constexpr std::string_view kFormats[] = {"heatmap", "text", "json", "csv", "record"};
const View kViews[] = {{.name = "histograms", .shape = kBlockLatency, .formats = kFormats}};

int run(const Values &, Session &session) {
  Skeleton<biolatency_bpf> skel;
  Object object(skel->skeleton, kBlockLatencyHooks);
  return run_block_latency(session, object);
}

}  // namespace

extern const Tool tool_bioheat = {
    .name = "bioheat",
    .summary = "show the latency of block I/O as a heat map",
    .manual = kManual,
    .options = kBlockLatencyOptions,
    .interval = "1",
    .views = kViews,
    .programs = kPrograms,
    .run = run,
};

}  // namespace strata
