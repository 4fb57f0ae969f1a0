// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata opensnoop: each file that is opened, and each that cannot be.
#include "opensnoop/opensnoop.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/errno.h"
#include "kern/open_flags.h"
#include "kern/path.h"
#include "model/columns.h"
#include "opensnoop.manual.h"
#include "opensnoop.skel.h"
#include "run/events.h"
#include "run/tool.h"
#include "run/uid_option.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "failed", .short_name = 'x', .help = "only opens that failed", .constant = "failed_only"},
    {.name = "path",
     .value = "PATTERN",
     .kind = OptionKind::kTexts,
     .help = "only paths that match, as they are shown: all of the path if the pattern has *, ? or [] (* matches / "
             "too), else any part of it; may be repeated"},
    {.name = "flags",
     .short_name = 'f',
     .value = "FLAG,...",
     .kind = OptionKind::kTexts,
     .help = "only opens with one of these flags; repeatable",
     .constant_if_given = "by_flags",
     .candidates = open_flag_names},
    uid_option({.help = "only this user", .constant = "wanted_uid", .constant_if_given = "by_uid"}),
    {.name = "full-path",
     .short_name = 'F',
     .help = "join relative names with their directory",
     .constant = "full_path"},
    {.name = "extended", .short_name = 'e', .help = "also show MODE and FLAGS"},
    {.name = "print-uid", .short_name = 'U', .help = "also show UID"},
    {.name = "latency", .short_name = 'L', .help = "also show LATENCY, how long the call took"},
    {.name = "min-latency",
     .value = "TIME",
     .kind = OptionKind::kTime,
     .help = "only opens that took so long (100us, 10ms)",
     .high = kHourNs,
     .constant = "min_lat_ns"},
};

// dir's names and the name are one text.
std::string path_of_open(const open_event &e) {
  const size_t at = std::min<size_t>(e.dir.bytes, sizeof(e.dir.names));
  const char *name = reinterpret_cast<const char *>(&e) + offsetof(open_event, dir.names) + at;
  const size_t bytes = strnlen(name, OPEN_NAME);
  std::string path;
  if (e.dir.bytes != 0 || e.dir.whole != 0) path = path_of(e.dir);
  if (!path.empty() && path.back() != '/' && *name != '/') path += '/';
  path.append(name, bytes);
  return bytes + 1 < OPEN_NAME ? path : path + "...";
}

constexpr Field kFields[] = {
    time_column({STORED(open_event, ts_ns), .help = "when the call returned"}),
    pid_column({STORED(open_event, tgid), .help = "the process"}),
    tid_column({STORED(open_event, tid), .help = "the thread", .hidden = true}),
    uid_column({STORED(open_event, uid), .help = "its user", .with = "print-uid"}),
    comm_column({STORED(open_event, comm), .help = "its name"}),
    {STORED(open_event, result),
     COMPUTED([](const open_event &e) { return if_known(e.result >= 0, static_cast<uint64_t>(e.result)); }),
     .key = "fd", .title = "FD", .width = 4, .help = "the new descriptor, if the call did not fail"},
    {COMPUTED([](const open_event &e, RowWriter &out) { e.result < 0 ? out.text(errno_name(e.result)) : out.none(); }),
     .key = "error", .title = "ERR", .width = -7, .help = "the error, if it failed"},
    latency_column({STORED(open_event, lat_ns), .optional = true, .help = "how long the call took, with --latency",
                    .with = "latency|min-latency"}),
    {STORED(open_event, mode), COMPUTED([](const open_event &e, RowWriter &out) {
       makes_a_file(e.flags) ? out.text(mode_text(e.mode)) : out.none();
     }),
     .key = "mode", .title = "MODE", .width = -4,
     .help = "of a new file, before the umask; only of calls that may make one", .with = "extended"},
    {STORED(open_event, flags), COMPUTED(open_flags_text), .key = "flags", .title = "FLAGS", .width = -18,
     .help = "of the call", .with = "extended"},
    {STORED(open_event, resolve), .optional = true, COMPUTED(resolve_text), .key = "resolve", .title = "RESOLVE",
     .width = -15, .help = "of openat2(2)", .hidden = true},
    {STORED(open_event, dirfd), .key = "dirfd", .title = "DIRFD", .width = 5,
     .help = "where a relative name begins; -100: in the current directory", .hidden = true},
    {STORED(open_event, unread)},
    {STORED(open_event, pad)},
    {STORED_AS("dir_bytes", open_event, dir.bytes)},
    {STORED_AS("dir_whole", open_event, dir.whole)},
    // A record is as long as its text: the name follows the directory's, wherever that ends.
    {.name = "name",
     .offset = offsetof(open_event, dir.names),
     .bytes = sizeof(open_event) - offsetof(open_event, dir.names),
     .kind = Kind::kText,
     COMPUTED([](const open_event &e, RowWriter &out) { e.unread == 0 ? out.text(path_of_open(e)) : out.none(); }),
     .key = "file",
     .title = "PATH",
     .help = "the name as it was given; with --full-path from the root on",
     .may_be_empty = true},
};
constexpr RecordType kOpen = record_type<open_event>("open", kFields);

constexpr std::string_view kLosses[] = {"name not in memory any more"};
Keep keep(const Values &options) {
  if (!options.given("path")) return {};
  return keep_if<open_event>([patterns = options.texts("path")](const open_event &e) {
    const std::string path = e.unread == 0 ? path_of_open(e) : "";
    return e.unread == 0 && std::ranges::any_of(patterns, [&](auto &one) { return pattern_matches(one, path); });
  });
}

constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kOpen, .losses = kLosses, .keep = keep}}};

// At the functions that open files, or, where the host permits no function probes, at all system calls.
constexpr Hook kHooks[] = {{.name = "open_begin"}, {.name = "open_end"}, {.name = "sys_enter"}, {.name = "sys_exit"}};

// The functions see no other system call, so they are preferred. The beginning of an open, which costs as much as its
// end, is only needed for its duration.
void choose_hooks(Object &object, bool timed) {
  const bool functions = object.variant("open_end") != nullptr;
  object.enable("open_begin", functions && timed);
  object.enable("open_end", functions);
  object.enable("sys_enter", !functions && timed);
  object.enable("sys_exit", !functions);
}

OpenFlagSet flag_set(const std::vector<std::string> &lists) {
  OpenFlagSet set;
  for (const std::string &list : lists) {
    for (const std::string_view name : split_commas(list)) {
      if (!add_open_flag(set, name)) {
        throw usage_error("--flags takes flags of open(2), such as O_WRONLY,CREAT, not '" + printable(name) + "'");
      }
    }
  }
  return set;
}

// For what is loaded without a run, as by doctor.
void prepare(Object &object) { choose_hooks(object, false); }

int trace(const Values &values, Session &session, Object &object) {
  const bool timed = any_given(values, {"latency", "min-latency"});
  const OpenFlagSet flags = flag_set(values.texts("flags"));
  choose_hooks(object, timed);
  object.set_constant("timed", timed);
  object.set_constant("wanted_access", flags.access);
  object.set_constant("wanted_flags", flags.flags);
  return run_events(session, object);
}

}  // namespace

extern const Tool tool_opensnoop = {
    .name = "opensnoop",
    .subsystem = Subsystem::kFiles,
    .summary = "show each open of a file: who, which file, and the error",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = opensnoop_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare},
    .stacks = event_stacks(opensnoop_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
