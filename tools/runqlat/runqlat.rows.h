// The tables of strata runqlat: options, columns, records, and what becomes of them.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/option.h"
#include "cli/values.h"
#include "rec/recording.h"
#include "render/sink.h"
#include "run/events.h"
#include "run/histogram.h"
#include "run/names.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"
#include "runqlat/runqlat.h"

namespace strata {

inline constexpr Option kRunqOptions[] = {
    {.name = "by-process", .letter = 'P', .help = "one for each process"},
    {.name = "by-thread", .letter = 'L', .help = "one for each thread"},
    {.name = "by-cgroup", .letter = 'C', .help = "one for each cgroup (v2)"},
    {.name = "by-cpu", .help = "one for each CPU that was got"},
    {.name = "by-pidns", .help = "one for each PID namespace, by its inode"},
    {.name = "slower",
     .value = "TIME",
     .kind = OptionKind::kText,
     .help = "instead, a line for each wait of TIME or more (10ms)"},
};

inline constexpr Column kRunqColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when the wait ended"},
    {.key = "cpu", .title = "CPU", .width = 3, .help = "the CPU that was got"},
    {.key = "comm", .title = "COMM", .width = -12, .help = "who waited: with -P the process's name, else the thread's"},
    {.key = "tgid", .title = "PID", .width = 7, .help = "its process", .by_default = false},
    {.key = "tid", .title = "TID", .width = 7, .help = "its thread"},
    {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .width = 7, .help = "how long"},
    {.key = "moved_ns",
     .title = "MOVED",
     .unit = Unit::kNs,
     .width = 7,
     .help = "of that, in queues of other CPUs",
     .by_default = false},
    {.key = "prev_tgid", .title = "RANPID", .width = 7, .help = "process of the one before", .by_default = false},
    {.key = "prev_tid", .title = "RANTID", .width = 7, .help = "thread that had this CPU before"},
    {.key = "prev_ran_ns", .title = "RANFOR", .unit = Unit::kNs, .width = 7, .help = "since it got the CPU"},
    {.key = "prev_comm", .title = "RAN", .help = "its name; (idle): the CPU was idle"},
    {.key = "cgroup", .title = "CGROUP", .help = "with -C", .by_default = false},
    {.key = "pidns", .title = "PIDNS", .help = "with --by-pidns", .by_default = false},
};
enum { kRunqTime, kRunqCpu, kRunqComm, kRunqTgid, kRunqTid, kRunqLat, kRunqCgroup = 11, kRunqPidns };

inline constexpr WireField kRunqSlotFields[] = {
    WIRE_NUMBER(runqlat_entry, from_ns),
    WIRE_NUMBER(runqlat_entry, to_ns),
    {"count", offsetof(runqlat_entry, value.count), 8},
    {"cgroup", offsetof(runqlat_entry, key.cgroup), 8},
    {"by", offsetof(runqlat_entry, key.by), 8},
    {"comm", offsetof(runqlat_entry, key.comm), 16, true},
    {"tgid", offsetof(runqlat_entry, key.tgid), 4},
    {"tid", offsetof(runqlat_entry, key.tid), 4},
    {"cpu", offsetof(runqlat_entry, key.cpu), 4},
    {"pidns", offsetof(runqlat_entry, key.pidns), 4},
    {"zero", offsetof(runqlat_entry, key.zero), 4},
    {"slot", offsetof(runqlat_entry, key.slot), 4},
};
inline constexpr Wire kRunqSlotWire = {"slot", sizeof(runqlat_entry), kRunqSlotFields};

inline constexpr WireField kRunqWaitFields[] = {
    WIRE_NUMBER(runqlat_wait, ts_ns),       WIRE_NUMBER(runqlat_wait, lat_ns),   WIRE_NUMBER(runqlat_wait, moved_ns),
    WIRE_NUMBER(runqlat_wait, prev_ran_ns), WIRE_NUMBER(runqlat_wait, tgid),     WIRE_NUMBER(runqlat_wait, tid),
    WIRE_NUMBER(runqlat_wait, prev_tgid),   WIRE_NUMBER(runqlat_wait, prev_tid), WIRE_NUMBER(runqlat_wait, cpu),
    WIRE_NUMBER(runqlat_wait, prev_idle),   WIRE_TEXT(runqlat_wait, comm),       WIRE_TEXT(runqlat_wait, prev_comm),
};
inline constexpr Wire kRunqWaitWire = {"wait", sizeof(runqlat_wait), kRunqWaitFields};

inline constexpr std::string_view kRunqLosses[] = {
    "waits perhaps too short: the program was not run for the switch before",
    "a wait without a time: the thread had not been seen before", "waits that the program was not run for"};

inline void give_wait(const runqlat_wait &e, Cells &cells, Names &) {
  const bool idle = e.prev_idle != 0;
  cells.number(e.ts_ns);
  cells.number(e.cpu);
  cells.comm(e.comm);
  cells.number(e.tgid);
  cells.number(e.tid);
  cells.number(e.lat_ns);
  cells.number(e.moved_ns);
  cells.number_if(!idle, e.prev_tgid);
  cells.number_if(!idle, e.prev_tid);
  cells.number_if(!idle, e.prev_ran_ns);
  idle ? cells.text("(idle)") : cells.comm(e.prev_comm);
  cells.none();  // cgroup, pidns: of histograms
  cells.none();
}

inline std::vector<Field> runq_keys(const void *entry, Names &names) {
  const runqlat_key &key = static_cast<const runqlat_entry *>(entry)->key;
  std::vector<Field> keys;
  const auto put = [&](size_t column, Value value) { keys.push_back({&kRunqColumns[column], std::move(value)}); };
  if (key.by & RUNQ_BY_CPU) put(kRunqCpu, uint64_t{key.cpu});
  if (key.by & RUNQ_BY_CGROUP) put(kRunqCgroup, names.cgroup(key.cgroup));
  if (key.by & RUNQ_BY_PIDNS) put(kRunqPidns, uint64_t{key.pidns});
  if (key.by & (RUNQ_BY_PROCESS | RUNQ_BY_THREAD)) put(kRunqTgid, uint64_t{key.tgid});
  if (key.by & RUNQ_BY_THREAD) put(kRunqTid, uint64_t{key.tid});
  if (key.by & (RUNQ_BY_PROCESS | RUNQ_BY_THREAD)) put(kRunqComm, cstr(key.comm));
  return keys;
}

inline constexpr Histograms kRunqHistograms =
    histograms_of<runqlat_entry>(kRunqSlotWire, kRunqColumns[kRunqLat], runq_keys, kRunqLosses);
inline constexpr Events kRunqEvents = events_of<runqlat_wait, give_wait>(kRunqWaitWire, kRunqLosses);

// Lines instead of histograms.
inline void show_waits(Session &session, const Tool &tool) {
  Tool shown = tool;
  shown.takes &= ~kTakesInterval;
  shown.formats = kRowFormats;
  session.show(shown);
}

inline bool has_waits(const Recording &recording) {
  constexpr const Wire *kWires[] = {&kRunqSlotWire, &kRunqWaitWire};
  return first_record(recording, kWires).wire == &kRunqWaitWire;
}

}  // namespace strata
