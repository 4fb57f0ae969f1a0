// strata biolatency: how long block I/O takes.
#include "biolatency.manual.h"
#include "biolatency.skel.h"
#include "bpf/object.h"
#include "run/tool.h"
#include "subsys/block_latency.h"

namespace strata {
namespace {

const Programs kPrograms[] = {
    {.elf = biolatency_bpf::elf_bytes, .hooks = kBlockLatencyHooks, .prepare = prepare_block_latency}};
const View kViews[] = {{.name = "histograms", .shape = kBlockLatency}};

int run(const Values &, Session &session) {
  Skeleton<biolatency_bpf> skel;
  Object object(skel->skeleton, kBlockLatencyHooks);
  return run_block_latency(session, object);
}

}  // namespace

extern const Tool tool_biolatency = {
    .name = "biolatency",
    .summary = "show the latency of block I/O as a histogram",
    .manual = kManual,
    .options = kBlockLatencyOptions,
    .views = kViews,
    .programs = kPrograms,
    .run = run,
};

}  // namespace strata
