// The tables of strata opensnoop: options, columns, the fields of a record, and how a record becomes a row.
#pragma once

#include <algorithm>
#include <string>

#include "base/text.h"
#include "cli/option.h"
#include "kern/errno.h"
#include "kern/open_flags.h"
#include "kern/path.h"
#include "opensnoop/opensnoop.h"
#include "run/events.h"

namespace strata {

inline constexpr Option kOpenOptions[] = {
    {.name = "failed", .letter = 'x', .help = "only opens that failed"},
    {.name = "path",
     .value = "PATTERN",
     .kind = OptionKind::kTexts,
     .help = "only paths that match, as they are shown: all of the path if the pattern has *, ? or [] (* matches / "
             "too), else any part of it; may be repeated"},
    {.name = "flags",
     .letter = 'f',
     .value = "FLAG,...",
     .kind = OptionKind::kTexts,
     .help = "only opens with one of these flags; repeatable"},
    {.name = "uid",
     .letter = 'u',
     .value = "UID",
     .kind = OptionKind::kNumber,
     .help = "only this user, by number",
     .high = UINT32_MAX},
    {.name = "full-path", .letter = 'F', .help = "join relative names with their directory"},
    {.name = "extended", .letter = 'e', .help = "also show MODE and FLAGS"},
    {.name = "print-uid", .letter = 'U', .help = "also show UID"},
    {.name = "latency", .letter = 'L', .help = "also show LATENCY, how long the call took"},
    {.name = "min-latency",
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "only opens that took so long (100us, 10ms)"},
};

inline constexpr Column kOpenColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when the call returned"},
    {.key = "tgid", .title = "PID", .width = 7, .help = "the process"},
    {.key = "tid", .title = "TID", .width = 7, .help = "the thread", .by_default = false},
    {.key = "uid", .title = "UID", .width = 5, .help = "its user", .with = "print-uid"},
    {.key = "comm", .title = "COMM", .width = -15, .help = "its name"},
    {.key = "fd", .title = "FD", .width = 4, .help = "the new descriptor, if the call did not fail"},
    {.key = "err", .title = "ERR", .width = -7, .help = "the error, if it failed"},
    {.key = "lat_ns",
     .title = "LATENCY",
     .unit = Unit::kNs,
     .width = 7,
     .help = "how long the call took, with --latency",
     .with = "latency|min-latency"},
    {.key = "mode",
     .title = "MODE",
     .width = -4,
     .help = "of a new file, before the umask; only of calls that may make one",
     .with = "extended"},
    {.key = "flags", .title = "FLAGS", .width = -18, .help = "of the call", .with = "extended"},
    {.key = "resolve", .title = "RESOLVE", .width = -15, .help = "of openat2(2)", .by_default = false},
    {.key = "dirfd",
     .title = "DIRFD",
     .width = 5,
     .help = "where a relative name begins; -100: in the current directory",
     .by_default = false},
    {.key = "path", .title = "PATH", .help = "the name as it was given; with --full-path from the root on"},
};

// dir's names and the name are one text.
inline constexpr WireField kOpenFields[] = {
    WIRE_NUMBER(open_event, ts_ns),
    WIRE_NUMBER(open_event, lat_ns),
    WIRE_NUMBER(open_event, flags),
    WIRE_NUMBER(open_event, resolve),
    WIRE_NUMBER(open_event, result),
    WIRE_NUMBER(open_event, dirfd),
    WIRE_NUMBER(open_event, mode),
    WIRE_NUMBER(open_event, uid),
    WIRE_NUMBER(open_event, tgid),
    WIRE_NUMBER(open_event, tid),
    WIRE_TEXT(open_event, comm),
    WIRE_NUMBER(open_event, unread),
    WIRE_NUMBER(open_event, pad),
    {"dir_bytes", offsetof(open_event, dir.bytes), sizeof(path_names::bytes)},
    {"dir_whole", offsetof(open_event, dir.whole), sizeof(path_names::whole)},
    {"name", offsetof(open_event, dir.names), sizeof(open_event) - offsetof(open_event, dir.names), true},
};
inline constexpr Wire kOpenWire = {"open", sizeof(open_event), kOpenFields};

inline std::string open_path(const open_event &e) {
  const size_t at = std::min<size_t>(e.dir.bytes, sizeof(e.dir.names));
  const char *name = reinterpret_cast<const char *>(&e) + offsetof(open_event, dir.names) + at;
  const size_t bytes = strnlen(name, OPEN_NAME);
  std::string path;
  if (e.dir.bytes != 0 || e.dir.whole != 0) path = path_of(e.dir);
  if (!path.empty() && path.back() != '/' && *name != '/') path += '/';
  path.append(name, bytes);
  return bytes + 1 < OPEN_NAME ? path : path + "...";
}

inline void give_open(const open_event &e, Cells &cells, Names &) {
  const bool failed = e.result < 0;
  cells.number(e.ts_ns);
  cells.number(e.tgid);
  cells.number(e.tid);
  cells.number(e.uid);
  cells.comm(e.comm);
  cells.number_if(!failed, static_cast<uint64_t>(e.result));
  cells.made_if(failed, [&] { return errno_name(e.result); });
  cells.number_if(e.lat_ns != 0, e.lat_ns);
  cells.made_if(makes_a_file(e.flags), [&] { return mode_text(e.mode); });
  cells.made([&] { return open_flags_text(e.flags); });
  cells.made_if(e.resolve != 0, [&] { return resolve_text(e.resolve); });
  cells.value(int64_t{e.dirfd});
  cells.made_if(e.unread == 0, [&] { return open_path(e); });
}

}  // namespace strata
