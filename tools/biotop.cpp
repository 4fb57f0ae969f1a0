// strata biotop: which process keeps which disk busy.
#include "biotop.h"

#include "base/text.h"
#include "biotop.manual.h"
#include "biotop.skel.h"
#include "bpf/object.h"
#include "kern/request.h"
#include "lib/block_io_wire.h"
#include "render/sink.h"
#include "run/block_io.h"
#include "run/names.h"
#include "run/table.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {kDiskOption};

constexpr Column kColumns[] = {
    {"comm", "COMM", Unit::kNone, -12, "name of the task that caused the I/O"},
    {"tgid", "PID", Unit::kNone, 6, "its process"},
    {"by", "BY", Unit::kNone, -7, "what the task did: issued the I/O, dirtied the pages, or unknown"},
    {"disk", "DISK", Unit::kNone, -7, "the whole disk; a stacked one has rows besides those of its disks"},
    {"operation", "OP", Unit::kNone, -7, "read, write, flush, discard, ..."},
    {"ios", "I/O", Unit::kNone, 7, "how many"},
    {"size_bytes", "BYTES", Unit::kBytes, 7, "all of them"},
    {"queue_avg_ns", "QUEUE", Unit::kNs, 6, "until the driver got one, on average"},
    {"device_avg_ns", "DEVICE", Unit::kNs, 6, "from then on to its completion, on average"},
    {"queue_ns", "QUEUES", Unit::kNs, 6, "all of them", false},
    {"device_ns", "DEVICES", Unit::kNs, 7, "all of them; more than the interval where several were under way at once",
     false},
    {"errors", "ERRORS", Unit::kNone, 6, "how many ended with an error", false},
    {"stacked", "STACKED", Unit::kNone, -7, "is the disk made of others?", false},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(biotop_entry, from_ns),        WIRE_NUMBER(biotop_entry, to_ns),
    WIRE_NUMBER(biotop_entry, value.ios),      WIRE_NUMBER(biotop_entry, value.bytes),
    WIRE_NUMBER(biotop_entry, value.queue_ns), WIRE_NUMBER(biotop_entry, value.device_ns),
    WIRE_NUMBER(biotop_entry, value.errors),   WIRE_NUMBER(biotop_entry, key.tgid),
    WIRE_NUMBER(biotop_entry, key.by),         WIRE_NUMBER(biotop_entry, key.dev),
    WIRE_NUMBER(biotop_entry, key.operation),  WIRE_NUMBER(biotop_entry, key.stacked),
    WIRE_TEXT(biotop_entry, key.comm),         WIRE_NUMBER(biotop_entry, zero),
};
constexpr Wire kWire = {"ios", sizeof(biotop_entry), kFields};

Row decode(const biotop_entry &entry, Names &names) {
  const auto &[ios, bytes, queue_ns, device_ns, errors] = entry.value;
  const uint64_t divisor = ios == 0 ? 1 : ios;
  const biotop_key &key = entry.key;
  const bool queues = key.stacked == 0;
  return {cstr(key.comm),
          key.by == BY_UNKNOWN ? Value() : Value(uint64_t{key.tgid}),
          by_text(key.by),
          names.disk(key.dev),
          request_operation(key.operation),
          uint64_t{ios},
          uint64_t{bytes},
          queues ? Value(queue_ns / divisor) : Value(),
          uint64_t{device_ns / divisor},
          queues ? Value(uint64_t{queue_ns}) : Value(),
          uint64_t{device_ns},
          uint64_t{errors},
          key.stacked != 0};
}

const Tops kTops = tops_of<biotop_entry, decode>(kWire, "size_bytes", kBlockIoLosses);
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
