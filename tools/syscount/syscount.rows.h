// The rows of strata syscount: what is counted decides which columns are shown.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/text.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "kern/syscall.h"
#include "rec/recording.h"
#include "render/sink.h"
#include "run/intervals.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"
#include "syscount/syscount.h"

namespace strata {

inline constexpr Option kSyscountOptions[] = {
    {.name = "by",
     .value = "call|process|both|error|thread",
     .kind = OptionKind::kChoice,
     .help = "a row for each call, process, call of a process, call and error, or thread",
     .fallback = "call"},
    {.name = "calls",
     .value = "NAME,...",
     .kind = OptionKind::kText,
     .help = "only these: openat,read, also patterns: *stat*"},
    {.name = "failed", .letter = 'x', .help = "only calls that failed"},
    {.name = "error",
     .value = "NAME",
     .kind = OptionKind::kText,
     .help = "only calls that failed with it: ENOENT, or 2"},
    {.name = "time", .letter = 'L', .help = "how long they took, too; orders the rows by it"},
};

// By what rows are made, and whether times were asked for.
struct SyscountWay {
  uint32_t by = SYSCOUNT_BY_CALL;
  bool timed = false;
};

inline constexpr uint32_t kInCalls = 1 << SYSCOUNT_BY_CALL, kInProcesses = 1 << SYSCOUNT_BY_PROCESS,
                          kInBoth = 1 << SYSCOUNT_BY_BOTH, kInErrors = 1 << SYSCOUNT_BY_ERROR,
                          kInThreads = 1 << SYSCOUNT_BY_THREAD, kIfTimed = 1 << 8, kIfAsked = 0;

struct SyscountColumn {
  uint32_t shown;
  Column column;
};

inline constexpr SyscountColumn kSyscountColumns[] = {
    {kInProcesses | kInBoth | kInThreads,
     {.key = "comm", .title = "COMM", .width = -15, .help = "name of the process, or with --by thread of the thread"}},
    {kInProcesses | kInBoth | kInThreads,
     {.key = "tgid", .title = "PID", .width = 7, .help = "the process, with --by process, both or thread"}},
    {kInThreads, {.key = "tid", .title = "TID", .width = 7, .help = "the thread, with --by thread"}},
    {kInCalls | kInBoth | kInErrors,
     {.key = "call", .title = "CALL", .width = -19, .help = "the system call; 32-bit if a 32-bit program made it"}},
    {kInErrors,
     {.key = "err", .title = "ERR", .width = -15, .help = "how it failed, with --by error; empty: it did not"}},
    {kInCalls | kInProcesses | kInBoth | kInErrors | kInThreads,
     {.key = "calls", .title = "COUNT", .width = 10, .help = "how many ended"}},
    {kInCalls | kInProcesses | kInBoth | kInThreads,
     {.key = "errors", .title = "ERRORS", .width = 9, .help = "of these failed"}},
    {kIfTimed, {.key = "time_ns", .title = "TIME", .unit = Unit::kNs, .width = 7, .help = "all of them, with --time"}},
    {kIfTimed,
     {.key = "avg_ns", .title = "AVERAGE", .unit = Unit::kNs, .width = 7, .help = "one of them, with --time"}},
    {kIfAsked,
     {.key = "untimed", .title = "UNTIMED", .width = 7, .help = "of these began before strata did: not in the times"}},
};

using SyscountSchema = std::array<Column, std::size(kSyscountColumns)>;

constexpr SyscountSchema syscount_columns(SyscountWay way) {
  SyscountSchema columns;
  const uint32_t shown = 1U << way.by | (way.timed ? kIfTimed : 0);
  for (size_t i = 0; i < columns.size(); i++) {
    columns[i] = kSyscountColumns[i].column;
    columns[i].by_default = (kSyscountColumns[i].shown & shown) != 0;
  }
  return columns;
}
inline constexpr SyscountSchema kCallColumns = syscount_columns({});

inline constexpr WireField kSyscountFields[] = {
    WIRE_NUMBER(syscount_entry, from_ns),
    WIRE_NUMBER(syscount_entry, to_ns),
    {"calls", offsetof(syscount_entry, value.calls), 8},
    {"errors", offsetof(syscount_entry, value.errors), 8},
    {"time_ns", offsetof(syscount_entry, value.time_ns), 8},
    {"untimed", offsetof(syscount_entry, value.untimed), 8},
    {"comm", offsetof(syscount_entry, key.comm), 16, true},
    {"call", offsetof(syscount_entry, key.call), 4},
    {"error", offsetof(syscount_entry, key.error), 4},
    {"tgid", offsetof(syscount_entry, key.tgid), 4},
    {"tid", offsetof(syscount_entry, key.tid), 4},
};
inline constexpr Wire kSyscountWire = {"calls", sizeof(syscount_entry), kSyscountFields};

inline std::string counted_call(uint32_t call) {
  if (call == SYSCOUNT_RESTORED) return "rt_sigreturn";
  if (call == SYSCOUNT_OTHER) return "(no such call)";
  return call < SYSCOUNT_32BIT ? syscall_name(call) : "32-bit " + syscall32_name(call - SYSCOUNT_32BIT);
}

inline bool is_timed(const syscount_entry &e) { return e.value.time_ns + e.value.untimed != 0; }

inline Row syscount_row(const syscount_entry &e, Names &) {
  const auto &[calls, errors, time_ns, untimed] = e.value;
  const bool timed = is_timed(e);
  const uint64_t divisor = calls > untimed ? calls - untimed : 1;
  const bool of_process = e.key.tgid != 0;
  return {of_process ? Value(cstr(e.key.comm)) : Value(),
          of_process ? Value(uint64_t{e.key.tgid}) : Value(),
          e.key.tid != 0 ? Value(uint64_t{e.key.tid}) : Value(),
          e.key.call == SYSCOUNT_ANY ? Value() : Value(counted_call(e.key.call)),
          e.key.error != 0 ? Value(errno_name(e.key.error)) : Value(),
          uint64_t{calls},
          uint64_t{errors},
          timed && calls > untimed ? Value(uint64_t{time_ns}) : Value(),
          timed && calls > untimed ? Value(time_ns / divisor) : Value(),
          timed ? Value(uint64_t{untimed}) : Value()};
}

inline constexpr Tops kSyscountTops = tops_of<syscount_entry, syscount_row>(kSyscountWire, "calls");

inline Tops syscount_tops(SyscountWay way) {
  Tops tops = kSyscountTops;
  if (way.by == SYSCOUNT_BY_CALL)
    tops.entries.key_at = offsetof(syscount_entry, key.call);
  else
    tops.entries.cells = "cells";
  if (way.timed) tops.sort = "time_ns";
  return tops;
}

inline void show_way(Session &session, const Tool &tool, SyscountWay way) {
  const SyscountSchema columns = syscount_columns(way);
  session.show(tool, {columns.begin(), columns.end()});
}

inline SyscountWay asked_way(const Values &values) {
  const std::vector<std::string_view> words = words_of(kSyscountOptions[0].value);
  const auto word = std::find(words.begin(), words.end(), values.text("by"));
  return {.by = static_cast<uint32_t>(word - words.begin()), .timed = values.given("time")};
}

inline SyscountWay way_of(const syscount_entry &e, SyscountWay so_far) {
  uint32_t by = so_far.by;
  if (e.key.error != 0) by = SYSCOUNT_BY_ERROR;
  if (e.key.tgid != 0) by = e.key.call == SYSCOUNT_ANY ? SYSCOUNT_BY_PROCESS : SYSCOUNT_BY_BOTH;
  if (e.key.tid != 0) by = SYSCOUNT_BY_THREAD;
  return {.by = by, .timed = so_far.timed || is_timed(e)};
}

inline SyscountWay recorded_way(const Recording &recording) {
  constexpr const Wire *kWires[] = {&kSyscountWire};
  SyscountWay way;
  scan_records(recording, kWires, [&](const WireRecord &record) {  // all: one alone may have no time, or no error
    if (record.wire == &kSyscountWire)
      way = way_of(*reinterpret_cast<const syscount_entry *>(record.bytes.data()), way);
    return false;
  });
  return way;
}

}  // namespace strata
