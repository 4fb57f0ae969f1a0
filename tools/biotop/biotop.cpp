// strata biotop: which process keeps which disk busy.
#include "biotop.manual.h"
#include "biotop.rows.h"
#include "biotop.skel.h"
#include "bpf/object.h"
#include "run/table.h"
#include "run/tool.h"
#include "subsys/block_io.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {kDiskOption};

const Blueprint kLoads[] = {{.elf = biotop_bpf::elf_bytes, .hooks = kBlockIoHooks, .prepare = prepare_block_io}};

int run(const Values &, Session &session) {
  Skeleton<biotop_bpf> skel;
  Object object(skel->skeleton, kBlockIoHooks);
  prepare_block_io(session, object);
  return run_table(session, object, "ios", kTops);
}

}  // namespace

extern const Tool tool_biotop;
const Tool tool_biotop = {
    .name = "biotop",
    .summary = "shows which process keeps which disk busy",
    .manual = kBiotopManual,
    .details = kBiotopDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesTable | kTakesColumns,
    .interval = "1",
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_table<kTops>,
};

}  // namespace strata
