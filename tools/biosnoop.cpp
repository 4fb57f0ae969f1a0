// strata biosnoop: each block I/O with the process that caused it.
#include "base/text.h"
#include "biosnoop.manual.h"
#include "biosnoop.skel.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "lib/block_io_wire.h"
#include "render/sink.h"
#include "run/block_io.h"
#include "run/events.h"
#include "run/names.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kDiskOption,
    {"min-latency", 'm', "TIME", OptionKind::kDuration, "only I/O that took so long, queue and device together (10ms)"},
    {"failed", 'x', "", OptionKind::kSwitch, "only I/O that ended with an error"},
};

constexpr Column kColumns[] = {
    {"time_ns", "TIME", Unit::kWallNs, -15, "when it was done"},
    {"comm", "COMM", Unit::kNone, -12, "name of the task that caused it"},
    {"tgid", "PID", Unit::kNone, 6, "its process"},
    {"by", "BY", Unit::kNone, -7, "what the task did: issued it, dirtied its pages, or unknown"},
    {"disk", "DISK", Unit::kNone, -7, "the whole disk; a stacked one has rows besides those of its disks"},
    {"size_bytes", "BYTES", Unit::kBytes, 7, "its size"},
    {"queue_ns", "QUEUE", Unit::kNs, 6, "until the driver got it"},
    {"device_ns", "DEVICE", Unit::kNs, 6, "from then on to the completion"},
    {"io", "I/O", Unit::kNone, -5, "operation, flags, stacking, error"},
    {"sector", "SECTOR", Unit::kSector, 10, "where it begins on the disk", false},
    {"operation", "OP", Unit::kNone, -7, "read, write, flush, discard, ...", false},
    {"flags", "FLAGS", Unit::kNone, -10, "sync, meta, fua, readahead, ...", false},
    {"error", "ERROR", Unit::kNone, -7, "empty if it succeeded", false},
    {"pattern", "PATTERN", Unit::kNone, -10, "sequential: it begins where the disk's last one ended; or random", false},
    {"stacked", "STACKED", Unit::kNone, -7, "is the disk made of others?", false},
    {"other_disk", "OTHER", Unit::kNone, -7, "of a stacked disk where it went; else the stacked one it is for", false},
    {"tid", "TID", Unit::kNone, 6, "the thread that caused it", false},
    {"issuer", "ISSUER", Unit::kNone, -12, "the task that submitted it", false},
    {"issuer_tgid", "IPID", Unit::kNone, 6, "its process", false},
    {"cgroup", "CGROUP", Unit::kNone, -20, "of the task that caused it", false},
};

Row decode(const block_io &io, Names &names) {
  const std::string other = io.other_dev == 0 ? "" : names.disk(io.other_dev);
  const bool known = io.by != BY_UNKNOWN, stacked = io.flags & IO_STACKED;
  const IoTimes times = io_times(io.start_ns, io.issue_ns, io.ts_ns);
  return {uint64_t{io.ts_ns},
          cstr(io.comm),
          known ? Value(uint64_t{io.tgid}) : Value(),
          by_text(io.by),
          names.disk(io.dev),
          uint64_t{io.bytes},
          times.queue,
          times.device,
          io_text(io, other),
          uint64_t{io.sector},
          io_operation(io.opf, io.bytes),
          io_flags(io.opf, io.bytes),
          io_error(io.result),
          io_pattern(io.flags),
          stacked,
          other,
          known ? Value(uint64_t{io.tid}) : Value(),
          cstr(io.by == BY_DIRTIED ? io.issuer : io.comm),
          known ? Value(uint64_t{io.issuer_tgid}) : Value(),
          known ? Value(names.cgroup(io.cgroup)) : Value()};
}

const Events kEvents = events_of<block_io, decode>(kBlockIoWire, kBlockIoLosses);
const Blueprint kLoads[] = {{.elf = biosnoop_bpf::elf_bytes, .hooks = kBlockIoHooks, .prepare = prepare_block_io}};

int run(const Values &values, Session &session) {
  Skeleton<biosnoop_bpf> skel;
  Object object(skel->skeleton, kBlockIoHooks);
  prepare_block_io(session, object);
  object.set_knob("min_ns", values.duration_ns("min-latency"));
  object.set_knob("failed_only", values.given("failed"));
  return run_events(session, object, kEvents);
}

}  // namespace

extern const Tool tool_biosnoop;
const Tool tool_biosnoop = {
    .name = "biosnoop",
    .summary = "shows each block I/O with the process that caused it",
    .manual = kBiosnoopManual,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
