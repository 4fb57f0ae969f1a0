// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/block_latency.h"

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "bpf/block_args.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/request.h"
#include "lib/block/latency_wire.h"
#include "lib/core/hist_slots.h"
#include "lib/core/pending_sets.h"
#include "model/columns.h"
#include "run/resolver.h"
#include "run/session.h"
#include "subsys/cgroup_columns.h"

namespace strata {
namespace {

constexpr Hook kHooks[] = {
    {.name = "block_rq_complete"}, {.name = "block_rq_issue"}, {.name = "block_getrq"}, {.name = "block_rq_merge"}};
constexpr std::string_view kLosses[] = {"no start time: a driver command, or iostats of the disk's queue is off",
                                        "the issue to the device was not seen", "the process was not seen"};

constexpr std::string_view kTimes[TIMES] = {"", "queue", "device", "total"};

using Entry = biolatency_entry;

constexpr Field kFields[] = {
    SLOT_STORED(Entry),
    {STORED(Entry, key.by)},
    {COMPUTED(slot_values), .key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs,
     .help = "from the request's allocation to its completion, or a part of it"},
    {STORED(Entry, key.dev), COMPUTED([](const Entry &e, Resolver &resolver) {
       return if_known<std::string>(e.key.by & BY_DISK, e.key.dev != 0 ? resolver.disk(e.key.dev) : "");
     }),
     .key = "disk", .title = "DISK", .help = "with -D", .with = "by-disk", .if_empty = "(none)"},
    {STORED(Entry, key.flags),
     COMPUTED([](const Entry &e) { return if_known(e.key.by & BY_FLAGS, request_text(e.key.flags)); }), .key = "flags",
     .title = "FLAGS", .help = "with -F: operation and flags, in blktrace's words", .with = "by-flags"},
    {STORED(Entry, key.cgroup), COMPUTED([](const Entry &e, Resolver &resolver) {
       return if_known<std::string>(e.key.by & BY_CGROUP, e.key.cgroup != 0 ? resolver.cgroup(e.key.cgroup) : "");
     }),
     .key = "cgroup", .title = "CGROUP", .help = "with -C: who is charged; (none) of a flush", .with = "by-cgroup",
     .if_empty = "(none)"},
    OWNER_KEYS(Entry, BY_, "by-cgroup|by-owner="),
    {STORED(Entry, key.tgid),
     COMPUTED([](const Entry &e) { return if_known<uint64_t>(e.key.by & BY_PROCESS, e.key.tgid); }), .key = "tgid",
     .title = "PID", .help = "with -P: the process that issued it; 0 of a flush", .with = "by-process"},
    {STORED(Entry, key.comm),
     COMPUTED([](const Entry &e) { return if_known(e.key.by & BY_PROCESS, cstr(e.key.comm)); }), .key = "comm",
     .title = "COMM", .help = "with -P: its name; (unknown) of a flush", .with = "by-process", .if_empty = "(unknown)"},
    {STORED(Entry, key.slot), COMPUTED([](const Entry &e) {
       const uint32_t time = e.key.slot / HIST_SLOTS % TIMES;
       return if_known(time != TIME_ALONE, kTimes[time]);
     }),
     .key = "time", .title = "TIME", .help = "with -Q, --time: queue, device or total",
     .with = "queued|time=queue|time=device"},
};
constexpr RecordType kSlot = record_type<Entry>("slot", kFields);

uint32_t times_of(const Values &values) {
  if (values.given("queued") && values.given("time"))
    throw usage_error("--queued shows all the times, --time one of them: take one of the two");
  if (values.given("queued")) return 1 << TIME_QUEUE | 1 << TIME_DEVICE | 1 << TIME_TOTAL;
  const std::string &time = values.text("time");
  return time == "queue" ? 1 << TIME_QUEUE : time == "device" ? 1 << TIME_DEVICE : 1 << TIME_ALONE;
}

uint32_t by_of(const Values &values) {
  return bits_given(values, {"by-disk", "by-flags", "by-cgroup", "by-process"}) |  // enum biolatency_by
         bits_named(values, "by-owner", kOwnerWords) * BY_UNIT;
}

// The requests' own times need one hook; the others cost nothing unless they are asked for.
void choose_hooks(Object &object, bool issues, bool issuers) {
  object.enable("block_rq_issue", issues);
  object.enable({"block_getrq", "block_rq_merge"}, issuers);
  if (issues) object.set_max_entries("issues", PENDING_SETS);
  if (issuers) object.set_max_entries("issuers", PENDING_SETS);
  object.set_constant("with_issuers", issuers);
  set_block_args(object);
}

}  // namespace

const std::span<const Hook> kBlockLatencyHooks = kHooks;
const HistogramSpec kBlockLatency = histogram_spec<Entry>(kSlot, "latencies", "latencies_by", kLosses);

void prepare_block_latency(Object &object) { choose_hooks(object, false, false); }

int trace_block_latency(const Values &values, Session &session, Object &object) {
  const uint32_t times = times_of(values), by = by_of(values);
  choose_disk(values, object, DiskKind::kWithRequests);
  const bool filtered = filters_tasks(session, choose_cgroup(values, object));
  choose_hooks(object, times != 1 << TIME_ALONE, filtered || (by & BY_PROCESS));
  object.set_constant("only_wanted", filtered);
  object.set_constant("times", times);
  object.set_constant("by", by);
  return run_view(session, object);
}

}  // namespace strata
