// strata bioheat: biolatency as a heat map.
#include "../biolatency/biolatency.manual.h"
#include "../biolatency/biolatency.shape.h"

namespace strata {
namespace {
constexpr std::string_view kFormats[] = {"heatmap", "text", "json", "csv", "record"};
}

extern const Tool tool_bioheat = {
    .name = "bioheat",
    .summary = "heat map of the latency of block I/O",
    .manual = kBioheatManual,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval,
    .interval = "1",
    .formats = kFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_histogram<kSeveral>,
};

}  // namespace strata
