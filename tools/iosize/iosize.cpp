// strata iosize: how large the reads and writes are that programs ask for.
#include "iosize/iosize.h"

#include <algorithm>

#include "bpf/object.h"
#include "cli/values.h"
#include "iosize.calls.h"
#include "iosize.manual.h"
#include "iosize.skel.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {{.name = "sys_exit"}};
constexpr Option kOptions[] = {
    {.name = "by",
     .value = "kind|call|process",
     .kind = OptionKind::kChoice,
     .help = "one for reads and one for writes, one for each call, or that apart by process",
     .fallback = "call"},
    {.name = "calls",
     .value = "NAME,...",
     .kind = OptionKind::kText,
     .help = "only these: read, writev, ..., reads, writes; also some that are not counted else"},
    {.name = "of",
     .value = "returned|requested|short|failed",
     .kind = OptionKind::kChoice,
     .help = "what a call returned; or what it asked for, if it got less, or if it failed",
     .fallback = "returned"},
    {.name = "on",
     .value = kKinds,
     .kind = OptionKind::kChoice,
     .help = "only calls on this; a device is a terminal, /dev/null, ..."},
};

constexpr Column kOperation = {.key = "operation", .help = "read or write, with --by kind", .by_default = false},
                 kCall = {.key = "call", .help = "the system call", .by_default = false},
                 kTgid = {.key = "tgid", .help = "the process, with --by process", .by_default = false},
                 kComm = {.key = "comm", .help = "its name", .by_default = false},
                 kSize = {.key = "size_bytes", .unit = Unit::kBytes, .help = "bytes", .by_default = false};
constexpr Column kColumns[] = {kOperation, kCall, kTgid, kComm, kSize};  // none is a column of text

constexpr WireField kFields[] = {
    WIRE_NUMBER(iosize_entry, from_ns),
    WIRE_NUMBER(iosize_entry, to_ns),
    {"call", offsetof(iosize_entry, key.call), 4},
    {"slot", offsetof(iosize_entry, key.slot), 4},
    {"count", offsetof(iosize_entry, value.count), 8},
    {"tgid", offsetof(iosize_entry, key.tgid), 4},
    {"comm", offsetof(iosize_entry, key.comm), 16, true},
};
constexpr Wire kWire = {"slot", sizeof(iosize_entry), kFields};

std::vector<Field> keys(const void *entry, Names &) {
  const iosize_key &key = static_cast<const iosize_entry *>(entry)->key;
  if (key.call == IOSIZE_READS || key.call == IOSIZE_WRITES)
    return {{&kOperation, key.call == IOSIZE_READS ? "read" : "write"}};
  if (key.tgid == 0) return {{&kCall, io_call_name(key.call)}};
  return {{&kTgid, uint64_t{key.tgid}}, {&kComm, cstr(key.comm)}, {&kCall, io_call_name(key.call)}};
}
constexpr Histograms kHistograms = histograms_of<iosize_entry>(kWire, kSize, keys);

uint32_t place(const std::string &word, std::string_view words) {  // of "a|b|c"
  const auto all = words_of(words);
  return static_cast<uint32_t>(std::find(all.begin(), all.end(), word) - all.begin());
}

int run(const Values &values, Session &session) {
  const uint32_t by = place(values.text("by"), kOptions[0].value), of = place(values.text("of"), kOptions[2].value);
  Skeleton<iosize_bpf> skel;
  Object object(skel->skeleton, kHooks);
  object.set_knob("call_flags", calls_of(values.text("calls"), of != IOSIZE_RETURNED));
  object.set_knob("by", by);
  object.set_knob("sizes_of", of);
  object.set_knob("file_type", type_of_kind(values.text("on")));
  return run_histogram(session, object, by == IOSIZE_BY_PROCESS ? "processes" : "calls", kHistograms);
}

const Blueprint kLoads[] = {{.elf = iosize_bpf::elf_bytes, .hooks = kHooks}};
}  // namespace

extern const Tool tool_iosize = {
    .name = "iosize",
    .summary = "show how large reads and writes are, by system call and process",
    .manual = kIosizeManual,
    .details = kIosizeDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval,
    .formats = kDistributionFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_histogram<kHistograms>,
};

}  // namespace strata
