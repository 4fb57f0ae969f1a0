// strata fsdist: how long reads, writes, opens and fsyncs of files take.
#include "fsdist/fsdist.h"

#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "fsdist.manual.h"
#include "fsdist.skel.h"
#include "kern/file_system.h"
#include "lib/core/hist_slots.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "run/tool.h"
#include "subsys/fs_calls.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    kFsTypeOption,
    kFsOpOption,
    {.name = "by",
     .value = "type|process",
     .kind = OptionKind::kChoice,
     .help = "a histogram for each file system or process"},
    kFsViaOption,
};

constexpr Column kColumns[] = {
    {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .help = "how long the caller waited", .by_default = false},
    {.key = "op", .title = "OP", .help = "read, write, open or fsync", .by_default = false},
    {.key = "fs", .title = "FS", .help = "the file system, with --by type", .by_default = false},
    {.key = "tgid", .title = "PID", .help = "the process, with --by process", .by_default = false},
    {.key = "comm", .title = "COMM", .help = "its name", .by_default = false},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(fsdist_entry, from_ns),
    WIRE_NUMBER(fsdist_entry, to_ns),
    {"fs", offsetof(fsdist_entry, key.fs), 4},
    {"tgid", offsetof(fsdist_entry, key.tgid), 4},
    {"comm", offsetof(fsdist_entry, key.comm), 16, true},
    {"slot", offsetof(fsdist_entry, key.slot), 4},
    {"count", offsetof(fsdist_entry, value.count), 8},
};
constexpr Wire kWire = {"slot", sizeof(fsdist_entry), kFields};

std::vector<Field> keys(const void *entry, Names &) {
  const fsdist_key &key = static_cast<const fsdist_entry *>(entry)->key;
  std::vector<Field> all = {{&kColumns[1], std::string(fs_op_name(key.slot / HIST_SLOTS))}};
  if (key.fs > 0) all.push_back({&kColumns[2], std::string(file_system_name(key.fs - 1))});
  if (key.tgid > 0) {
    all.push_back({&kColumns[3], uint64_t{key.tgid}});
    all.push_back({&kColumns[4], cstr(key.comm)});
  }
  return all;
}

constexpr Histograms kHistograms = histograms_of<fsdist_entry>(kWire, kColumns[0], keys, kFsLosses);

const Blueprint kLoads[] = {{.elf = fsdist_bpf::elf_bytes, .hooks = kFsHooks, .prepare = choose_all_fs_calls}};

int run(const Values &values, Session &session) {
  Skeleton<fsdist_bpf> skel;
  Object object(skel->skeleton, kFsHooks);
  object.set_knob("by_type", values.text("by") == "type");
  object.set_knob("by_process", values.text("by") == "process");
  choose_fs_calls(object, values);
  if (values.given("by")) return run_histogram(session, object, "latencies_by", kHistograms);
  object.set_max_entries("latencies_by", 1);
  return run_histogram(session, object, "latencies", of_slots(kHistograms));
}

constexpr Link kLinks[] = {{"ext4dist", "--type=ext4"}, {"xfsdist", "--type=xfs"},   {"btrfsdist", "--type=btrfs"},
                           {"nfsdist", "--type=nfs"},   {"f2fsdist", "--type=f2fs"}, {"fusedist", "--type=fuse"}};

}  // namespace

extern const Tool tool_fsdist = {
    .name = "fsdist",
    .summary = "shows how long reads, writes, opens and fsyncs of files take",
    .manual = kFsdistManual,
    .details = kFsdistDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval,
    .links = kLinks,
    .formats = kDistributionFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_histogram<kHistograms>,
};

}  // namespace strata
