// strata softirqs: how much time the CPUs spend in softirqs.
#include "bpf/object.h"
#include "kern/irq.h"
#include "render/sink.h"
#include "softirqs.manual.h"
#include "softirqs.skel.h"
#include "subsys/irqs.h"

namespace strata {

extern const Tool tool_softirqs;

namespace {

constexpr uint32_t kVectors = 16;  // the kernel has ten
constexpr Hook kHooks[] = {{.name = "softirq_exit"}, {.name = "softirq_entry"}};
constexpr std::string_view kEntries[] = {"softirq_entry"};
const Blueprint kLoads[] = {{.elf = softirqs_bpf::elf_bytes, .hooks = kHooks}};

constexpr IrqNames kNames = {.name = [](uint32_t what, Names &) { return softirq_name(what); }};
IrqTool softirqs() { return irqs_of<kNames>(tool_softirqs); }

int run(const Values &, Session &session) {
  Skeleton<softirqs_bpf> skel;
  Object object(skel->skeleton, kHooks);
  return run_irqs(session, object, softirqs(), kVectors, kEntries);
}

int replay(Recording &recording, Session &session) { return replay_irqs(recording, session, softirqs()); }

}  // namespace

extern const Tool tool_softirqs = {
    .name = "softirqs",
    .summary = "show how much time the CPUs spend in softirqs",
    .manual = kSoftirqsManual,
    .details = kSoftirqsDetails,
    .options = kIrqOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesColumns | kTakesTable,
    .formats = kDistributionFormats,
    .columns = kIrqColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

}  // namespace strata
