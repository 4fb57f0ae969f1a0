// What strata cachestat shows and records: the same columns for the whole machine, by process and by file, of which
// not the same are shown.
#pragma once

#include <array>
#include <cstddef>

#include "base/error.h"
#include "base/text.h"
#include "cachestat/cachestat.h"
#include "cli/values.h"
#include "kern/meminfo.h"
#include "lib/core/count_shards.h"
#include "model/column.h"
#include "rec/recording.h"
#include "rec/wire.h"
#include "render/sink.h"
#include "run/intervals.h"
#include "run/names.h"
#include "run/session.h"
#include "run/table.h"
#include "run/tool.h"

namespace strata {

inline constexpr uint32_t kTotal = 1 << CACHESTAT_BY_NOTHING, kProcess = 1 << CACHESTAT_BY_PROCESS,
                          kFile = 1 << CACHESTAT_BY_FILE, kAlways = kTotal | kProcess | kFile, kAskedFor = 0;

struct CacheColumn {
  uint32_t shown;  // by what
  Column column;
};

inline constexpr CacheColumn kCacheColumns[] = {
    {kTotal, {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "end of the interval"}},
    {kProcess, {.key = "tgid", .title = "PID", .width = 7, .help = "the process, with --by process"}},
    {kProcess, {.key = "comm", .title = "COMM", .width = -15, .help = "its name"}},
    {kFile, {.key = "disk", .title = "DISK", .width = -10, .help = "where the file is, with --by file"}},
    {kFile, {.key = "inode", .title = "INODE", .width = 9, .help = "its number there (find -inum)"}},
    {kAlways, {.key = "hits", .title = "HITS", .width = 8, .help = "pages read that the cache had"}},
    {kAlways, {.key = "misses", .title = "MISSES", .width = 7, .help = "pages read that it had not"}},
    {kAlways,
     {.key = "readahead", .title = "READAHEAD", .width = 9, .help = "pages brought in before they were asked for"}},
    {kAlways,
     {.key = "hit_percent",
      .title = "RATIO",
      .unit = Unit::kPercent,
      .width = 6,
      .help = "hits of hits and misses; empty if nothing was read"}},
    {kAlways, {.key = "dirties", .title = "DIRTIES", .width = 7, .help = "clean pages that were made dirty"}},
    {kTotal,
     {.key = "buffers_bytes",
      .title = "BUFFERS",
      .unit = Unit::kBytes,
      .width = 7,
      .help = "pages of block devices, at the end of the interval"}},
    {kTotal,
     {.key = "cached_bytes", .title = "CACHED", .unit = Unit::kBytes, .width = 7, .help = "pages of files, likewise"}},
    {kAskedFor, {.key = "accesses", .title = "ACCESSES", .width = 8, .help = "hits and misses"}},
    {kAskedFor,
     {.key = "faults", .title = "FAULTS", .width = 8, .help = "of these by faults on mapped files (Linux 6.10)"}},
    {kAskedFor, {.key = "created", .title = "CREATED", .width = 8, .help = "pages that writes put into the cache"}},
    {kFile, {.key = "file", .title = "FILE", .width = -20, .help = "its name; it ends in ... if it is longer"}},
};

// As they are shown by `by`.
template <uint32_t by>
inline constexpr auto kColumnsBy = [] {
  std::array<Column, std::size(kCacheColumns)> columns;
  for (size_t i = 0; i < columns.size(); i++) {
    columns[i] = kCacheColumns[i].column;
    columns[i].by_default = (kCacheColumns[i].shown & 1 << by) != 0;
  }
  return columns;
}();

inline void show_by(Session &session, const Tool &tool, uint32_t by) {
  Tool shown = tool;
  if (by == CACHESTAT_BY_NOTHING) {
    refuse(session.values(), {"sort", "rows"}, "is for the tables of --by");
    shown.columns = kColumnsBy<CACHESTAT_BY_NOTHING>;
    shown.takes &= ~(kTakesTable | kTakesInterval);  // rows: neither tables nor histograms
  } else {
    shown.columns = by == CACHESTAT_BY_FILE ? kColumnsBy<CACHESTAT_BY_FILE> : kColumnsBy<CACHESTAT_BY_PROCESS>;
  }
  session.show(shown);
}

inline uint32_t asked_by(const Values &values) {
  const std::string &by = values.text("by");
  if (by.empty()) return CACHESTAT_BY_NOTHING;
  return by == "file" ? CACHESTAT_BY_FILE : CACHESTAT_BY_PROCESS;
}

inline constexpr WireField kCacheFields[] = {
    WIRE_NUMBER(cachestat_entry, from_ns),
    WIRE_NUMBER(cachestat_entry, to_ns),
    {"accessed", offsetof(cachestat_entry, value.accessed), 8},
    {"missed", offsetof(cachestat_entry, value.missed), 8},
    {"ahead", offsetof(cachestat_entry, value.ahead), 8},
    {"created", offsetof(cachestat_entry, value.created), 8},
    {"dirtied", offsetof(cachestat_entry, value.dirtied), 8},
    {"faulted", offsetof(cachestat_entry, value.faulted), 8},
    WIRE_NUMBER(cachestat_entry, buffers_bytes),
    WIRE_NUMBER(cachestat_entry, cached_bytes),
    {"ino", offsetof(cachestat_entry, key.ino), 8},
    {"dev", offsetof(cachestat_entry, key.dev), 4},
    {"tgid", offsetof(cachestat_entry, key.tgid), 4},
    {"name", offsetof(cachestat_entry, key.name), CACHESTAT_NAME, true},
};
inline constexpr Wire kCacheWire = {"cache", sizeof(cachestat_entry), kCacheFields};

inline uint32_t by_of(const cachestat_entry &e) {
  if (e.key.tgid != 0) return CACHESTAT_BY_PROCESS;
  return e.key.ino != 0 ? CACHESTAT_BY_FILE : CACHESTAT_BY_NOTHING;
}

// Read once more from the beginning, because what is shown must be known before the first record is.
inline uint32_t recorded_by(const Recording &recording) {
  Recording again(recording.file());
  std::vector<const Wire *> wires(Names::wires().begin(), Names::wires().end());
  wires.insert(wires.end(), {&kCacheWire, &kIntervalWire});
  for (WireRecord record; again.next(wires, record);) {
    if (record.wire == &kCacheWire) return by_of(*reinterpret_cast<const cachestat_entry *>(record.bytes.data()));
  }
  return CACHESTAT_BY_NOTHING;
}

inline Row cache_row(const cachestat_entry &e, Names &names) {
  const cachestat_counts &n = e.value;
  const uint32_t by = by_of(e);
  const uint64_t hits = n.accessed > n.missed ? n.accessed - n.missed : 0;  // a fault's page may come an interval later
  const auto only = [by](uint32_t when, Value value) { return by == when ? value : Value(); };
  const bool cut = e.key.name[CACHESTAT_NAME - 1] != '\0';
  const std::string name = cstr(e.key.name) + (cut ? "..." : "");
  return {uint64_t{e.to_ns},
          only(CACHESTAT_BY_PROCESS, uint64_t{e.key.tgid}),
          only(CACHESTAT_BY_PROCESS, name),
          by == CACHESTAT_BY_FILE ? Value(names.disk(e.key.dev)) : Value(),
          only(CACHESTAT_BY_FILE, uint64_t{e.key.ino}),
          hits,
          uint64_t{n.missed},
          uint64_t{n.ahead},
          n.accessed == 0 ? Value() : Value(100.0 * static_cast<double>(hits) / static_cast<double>(hits + n.missed)),
          uint64_t{n.dirtied},
          only(CACHESTAT_BY_NOTHING, uint64_t{e.buffers_bytes}),
          only(CACHESTAT_BY_NOTHING, uint64_t{e.cached_bytes}),
          uint64_t{n.accessed},
          uint64_t{n.faulted},
          uint64_t{n.created},
          only(CACHESTAT_BY_FILE, name)};
}

inline constexpr std::string_view kCacheLosses[] = {"misses after four gaps in a read, counted as readahead"};

inline void add_size(void *entry) {
  const CacheSize size = cache_size();
  static_cast<cachestat_entry *>(entry)->buffers_bytes = size.buffers_bytes;
  static_cast<cachestat_entry *>(entry)->cached_bytes = size.cached_bytes;
}

inline constexpr Entries kTotals = {.wire = &kCacheWire,
                                    .key_at = offsetof(cachestat_entry, key),
                                    .value_at = offsetof(cachestat_entry, value),
                                    .shards = COUNT_SHARDS,
                                    .complete = add_size};
inline constexpr Tops kTops = tops_of<cachestat_entry, cache_row>(kCacheWire, "accesses", kCacheLosses);

// A line for each interval, as vmstat has it.
inline Intervals lines(Session &session) {
  return {.each = [&](const void *entry,
                      Names &names) { session.out().row(session.columns(), kTops.decode(entry, names)); },
          .put = [](uint64_t, uint64_t) {}};
}

}  // namespace strata
