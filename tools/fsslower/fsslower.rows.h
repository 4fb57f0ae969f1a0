// The rows of strata fsslower, and the records that they are made from.
#pragma once

#include "base/text.h"
#include "fsslower/fsslower.h"
#include "kern/errno.h"
#include "kern/file_system.h"
#include "kern/path.h"
#include "run/events.h"
#include "run/names.h"
#include "subsys/fs_calls.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when the call began"},
    {.key = "comm", .title = "COMM", .width = -10, .help = "name of the task"},
    {.key = "tgid", .title = "PID", .width = 7, .help = "the process"},
    {.key = "tid", .title = "TID", .width = 7, .help = "the thread", .by_default = false},
    {.key = "fs", .title = "FS", .width = -5, .help = "the file system", .by_default = false},
    {.key = "disk", .title = "DISK", .width = -7, .help = "the file system's device", .by_default = false},
    {.key = "op", .title = "OP", .width = -5, .help = "read, write, open or fsync"},
    {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes, .width = 7, .help = "bytes that were read or written"},
    {.key = "offset_bytes", .title = "OFFSET", .unit = Unit::kOffset, .width = 8, .help = "where in the file"},
    {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .width = 7, .help = "how long the caller waited"},
    {.key = "cache", .title = "CACHE", .width = -6, .help = "who served it: see the manual"},
    {.key = "error", .title = "ERROR", .width = -6, .help = "why it failed, if it did", .by_default = false},
    {.key = "file", .title = "FILE", .help = "its path; ... for directories that are missing"},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(fsslower_event, ts_ns),  WIRE_NUMBER(fsslower_event, lat_ns), WIRE_NUMBER(fsslower_event, offset),
    WIRE_NUMBER(fsslower_event, result), WIRE_NUMBER(fsslower_event, tgid),   WIRE_NUMBER(fsslower_event, tid),
    WIRE_NUMBER(fsslower_event, op),     WIRE_NUMBER(fsslower_event, fs),     WIRE_NUMBER(fsslower_event, cache),
    WIRE_NUMBER(fsslower_event, dev),    WIRE_TEXT(fsslower_event, comm),     WIRE_PATH(fsslower_event, path),
};
constexpr Wire kWire = {"call", sizeof(fsslower_event), kFields};

Value cache_word(uint32_t cache) {
  constexpr const char *kWords[] = {"",     "hit",    "ahead",       "miss",  "wait",  "cached",
                                    "sync", "direct", "direct+sync", "async", "failed"};
  if (cache == CACHE_NONE) return {};
  return std::string(cache < std::size(kWords) ? kWords[cache] : "?");
}

void give(const fsslower_event &e, Cells &cells, Names &names) {
  const bool moved = e.result >= 0 && e.op <= FS_WRITE, failed = e.result < 0 && e.cache != CACHE_ASYNC;
  cells.number(e.ts_ns);
  cells.comm(e.comm);
  cells.number(e.tgid);
  cells.number(e.tid);
  cells.text(file_system_name(e.fs));
  cells.made([&] { return names.disk(e.dev); });
  cells.text(fs_op_name(e.op));
  cells.number_if(moved, static_cast<uint64_t>(e.result));
  cells.number_if(e.offset >= 0, static_cast<uint64_t>(e.offset));
  cells.number(e.lat_ns);
  cells.made([&] { return cache_word(e.cache); });
  cells.made_if(failed, [&] { return errno_name(e.result); });
  cells.made([&] { return e.path.whole == NAME_ONLY ? path_of(e.path).substr(1) : path_of(e.path); });
}

constexpr Events kEvents = events_of<fsslower_event, give>(kWire, kFsLosses);

}  // namespace
}  // namespace strata
