// strata biolatency: how long block I/O takes.
#include "biolatency.manual.h"
#include "biolatency.shape.h"

namespace strata {

extern const Tool tool_biolatency = {
    .name = "biolatency",
    .summary = "histogram of the latency of block I/O",
    .manual = kBiolatencyManual,
    .details = kBiolatencyDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval,
    .formats = kDistributionFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_histogram<kSeveral>,
};

}  // namespace strata
