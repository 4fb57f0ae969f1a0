// What biolatency and bioheat have in common: all but their names, manuals and default outputs.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "biolatency.skel.h"
#include "biolatency/biolatency.h"
#include "bpf/block_args.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/request.h"
#include "lib/core/hist_slots.h"
#include "lib/core/note_sets.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "run/names.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/block.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {
    {.name = "block_rq_complete"}, {.name = "block_rq_issue"}, {.name = "block_getrq"}, {.name = "block_rq_merge"}};

constexpr Option kOptions[] = {
    {.name = "queued", .letter = 'Q', .help = "time in the queue and at the device apart, and their sum"},
    {.name = "time",
     .value = "total|queue|device",
     .kind = OptionKind::kChoice,
     .help = "which part of it",
     .fallback = "total"},
    {.name = "by-disk", .letter = 'D', .help = "one for each disk"},
    {.name = "by-flags", .letter = 'F', .help = "one for each operation and its flags"},
    {.name = "by-cgroup", .letter = 'C', .help = "one for each cgroup that the I/O is charged to"},
    {.name = "by-process", .letter = 'P', .help = "one for each process that issued I/O"},
    kDiskOption,
    {.name = "passthrough", .help = "also driver commands (SG_IO), unlike iostat"},
};

constexpr Column kColumns[] = {
    {.key = "lat_ns",
     .title = "LATENCY",
     .unit = Unit::kNs,
     .help = "from the request's allocation to its completion, or a part of it",
     .by_default = false},
    {.key = "disk", .title = "DISK", .help = "with -D", .by_default = false},
    {.key = "flags",
     .title = "FLAGS",
     .help = "with -F: operation and flags, in blktrace's words",
     .by_default = false},
    {.key = "cgroup", .title = "CGROUP", .help = "with -C: who is charged; (none) of a flush", .by_default = false},
    {.key = "tgid", .title = "PID", .help = "with -P: the process that issued it; 0 of a flush", .by_default = false},
    {.key = "comm", .title = "COMM", .help = "with -P: its name; (unknown) of a flush", .by_default = false},
    {.key = "time", .title = "TIME", .help = "with -Q, --time: queue, device or total", .by_default = false},
};
enum { kLatency, kDisk, kFlags, kCgroup, kTgid, kComm, kTime };

constexpr WireField kFields[] = {
    WIRE_NUMBER(biolatency_entry, from_ns),
    WIRE_NUMBER(biolatency_entry, to_ns),
    {"count", offsetof(biolatency_entry, value.count), 8},
    {"cgroup", offsetof(biolatency_entry, key.cgroup), 8},
    {"by", offsetof(biolatency_entry, key.by), 8},
    {"comm", offsetof(biolatency_entry, key.comm), 16, true},
    {"tgid", offsetof(biolatency_entry, key.tgid), 4},
    {"dev", offsetof(biolatency_entry, key.dev), 4},
    {"flags", offsetof(biolatency_entry, key.flags), 4},
    {"slot", offsetof(biolatency_entry, key.slot), 4},
};
constexpr Wire kWire = {"slot", sizeof(biolatency_entry), kFields};

constexpr std::string_view kTimes[TIMES] = {"", "queue", "device", "total"};
constexpr std::string_view kLosses[] = {"no start time: a driver command, or iostats of the disk's queue is off",
                                        "the issue to the device was not seen", "the process was not seen"};

std::vector<Field> keys_of(const void *entry, Names &names) {
  const biolatency_key &key = static_cast<const biolatency_entry *>(entry)->key;
  std::vector<Field> keys;
  const auto put = [&](size_t column, Value value) { keys.push_back({&kColumns[column], std::move(value)}); };
  if (key.by & BY_DISK) put(kDisk, key.dev ? names.disk(key.dev) : "(none)");
  if (key.by & BY_FLAGS) put(kFlags, request_text(key.flags));
  if (key.by & BY_CGROUP) put(kCgroup, key.cgroup ? names.cgroup(key.cgroup) : "(none)");
  if (key.by & BY_PROCESS) {
    const std::string comm = cstr(key.comm);
    put(kTgid, uint64_t{key.tgid});
    put(kComm, comm.empty() && key.tgid == 0 ? "(unknown)" : comm);
  }
  const uint32_t time = key.slot / HIST_SLOTS % TIMES;
  if (time != TIME_ALONE) put(kTime, std::string(kTimes[time]));
  return keys;
}

constexpr Histograms kSeveral = histograms_of<biolatency_entry>(kWire, kColumns[kLatency], keys_of, kLosses);

uint32_t times_of(const Values &values) {
  if (values.given("queued") && values.given("time")) {
    throw usage_error("--queued shows all the times, --time one of them: take one of the two");
  }
  if (values.given("queued")) return 1 << TIME_QUEUE | 1 << TIME_DEVICE | 1 << TIME_TOTAL;
  const std::string &time = values.text("time");
  return time == "queue" ? 1 << TIME_QUEUE : time == "device" ? 1 << TIME_DEVICE : 1 << TIME_ALONE;
}

uint32_t by_of(const Values &values) {
  return (values.given("by-disk") ? BY_DISK : 0) | (values.given("by-flags") ? BY_FLAGS : 0) |
         (values.given("by-cgroup") ? BY_CGROUP : 0) | (values.given("by-process") ? BY_PROCESS : 0);
}

// The requests' own times need one hook; the others cost nothing unless they are asked for.
void choose_hooks(Object &object, bool issues, bool issuers) {
  object.enable("block_rq_issue", issues);
  object.enable("block_getrq", issuers);
  object.enable("block_rq_merge", issuers);
  if (issues) object.set_max_entries("issues", NOTE_SETS);
  if (issuers) object.set_max_entries("issuers", NOTE_SETS);
  object.set_knob("with_issuers", issuers);
  set_block_args(object);
}

int run(const Values &values, Session &session) {
  Skeleton<biolatency_bpf> skel;
  Object object(skel->skeleton, kHooks);
  const uint32_t times = times_of(values), by = by_of(values);
  choose_disk(values, object, DiskKind::kWithRequests);
  const bool charged = choose_cgroup(values, object);
  const bool filtered = filters_tasks(session, charged);
  choose_hooks(object, times != 1 << TIME_ALONE, filtered || (by & BY_PROCESS));
  object.set_knob("only_wanted", filtered);
  object.set_knob("passthrough", values.given("passthrough"));
  object.set_knob("times", times);
  object.set_knob("by", by);
  if (by) return run_histogram(session, object, "latencies_by", kSeveral);
  object.set_max_entries("latencies_by", 1);
  Histograms histograms = of_slots(kSeveral);
  if (times == 1 << TIME_ALONE) histograms.keys = nullptr;
  return run_histogram(session, object, "latencies", histograms);
}

void prepare(Object &object) { choose_hooks(object, false, false); }
constexpr Blueprint kLoads[] = {{.elf = biolatency_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare}};

}  // namespace
}  // namespace strata
