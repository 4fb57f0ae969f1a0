// strata fsslower: reads, writes, opens and fsyncs of files that took long.
#include <unistd.h>

#include <bit>

#include "bpf/object.h"
#include "cli/threshold.h"
#include "cli/values.h"
#include "fsslower.manual.h"
#include "fsslower.rows.h"
#include "fsslower.skel.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/tool.h"
#include "subsys/fs_calls.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "min",
     .letter = 'm',
     .value = "TIME",
     .kind = OptionKind::kText,
     .help = "only calls that took at least TIME, up to 1h (50us, 10ms, 2s); 0: all",
     .fallback = "10ms"},
    kFsTypeOption,
    kFsOpOption,
    kFsViaOption,
    {.name = "file",
     .value = "path|name",
     .kind = OptionKind::kChoice,
     .help = "the whole path, or the name alone, which costs less; path, but name with --min 0"},
};

const Blueprint kLoads[] = {{.elf = fsslower_bpf::elf_bytes, .hooks = kFsHooks, .prepare = choose_all_fs_calls}};

int run(const Values &values, Session &session) {
  Skeleton<fsslower_bpf> skel;
  Object object(skel->skeleton, kFsHooks);
  const uint64_t min_ns = threshold_ns("min", values.text("min"), "all calls");
  object.set_knob("fs_min_ns", min_ns);
  object.set_knob("whole_path", values.given("file") ? values.text("file") == "path" : min_ns > 0);
  object.set_knob("page_shift", static_cast<uint32_t>(std::countr_zero(static_cast<uint64_t>(getpagesize()))));
  choose_fs_calls(object, values);
  return run_events(session, object, kEvents);
}

constexpr Link kLinks[] = {{"ext4slower", "--type=ext4"},   {"xfsslower", "--type=xfs"},
                           {"btrfsslower", "--type=btrfs"}, {"nfsslower", "--type=nfs"},
                           {"f2fsslower", "--type=f2fs"},   {"fuseslower", "--type=fuse"}};

}  // namespace

extern const Tool tool_fsslower = {
    .name = "fsslower",
    .summary = "shows reads, writes, opens and fsyncs of files that took long",
    .manual = kFsslowerManual,
    .details = kFsslowerDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .links = kLinks,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
