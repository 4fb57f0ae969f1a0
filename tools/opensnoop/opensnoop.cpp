// strata opensnoop: each file that is opened, and each that cannot be.
#include "opensnoop/opensnoop.h"

#include <algorithm>

#include "base/error.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "opensnoop.manual.h"
#include "opensnoop.skel.h"
#include "opensnoop.tables.h"
#include "render/sink.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

// By functions or by system calls: prepare() decides.
constexpr Hook kHooks[] = {{.name = "open_begin"}, {.name = "open_end"}, {.name = "sys_enter"}, {.name = "sys_exit"}};

constexpr std::string_view kLosses[] = {"name not in memory any more"};
constexpr Events kEvents = events_of<open_event, give_open>(kOpenWire, kLosses);

// The functions catch no other system call; the beginning costs as much as the end.
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
        throw usage_error("--flags takes flags of open(2), as O_WRONLY,O_CREAT, not '" + printable(name) + "'");
      }
    }
  }
  return set;
}

void set_knobs(const Values &values, Object &object, bool timed) {
  const OpenFlagSet flags = flag_set(values.texts("flags"));
  object.set_knob("failed_only", values.given("failed"));
  object.set_knob("full_path", values.given("full-path"));
  object.set_knob("by_flags", values.given("flags"));
  object.set_knob("wanted_access", flags.access);
  object.set_knob("wanted_flags", flags.flags);
  object.set_knob("by_uid", values.given("uid"));
  object.set_knob("wanted_uid", static_cast<uint32_t>(values.number("uid")));
  object.set_knob("timed", timed);
  object.set_knob("min_lat_ns", values.duration_ns("min-latency"));
}

void prepare(Object &object) { choose_hooks(object, false); }
const Blueprint kLoads[] = {{.elf = opensnoop_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare}};

int run(const Values &values, Session &session) {
  const bool timed = values.given("latency") || values.given("min-latency");
  Skeleton<opensnoop_bpf> skel;
  Object object(skel->skeleton, kHooks);
  choose_hooks(object, timed);
  set_knobs(values, object, timed);
  const std::vector<std::string> &patterns = values.texts("path");
  if (patterns.empty()) return run_events(session, object, kEvents);
  const auto wanted = [&](const open_event &e) {
    if (e.unread != 0) return false;
    const std::string path = open_path(e);
    return std::any_of(patterns.begin(), patterns.end(), [&](auto &one) { return pattern_matches(one, path); });
  };
  return run_events(session, object, kEvents, keep_if<open_event>(wanted));
}

}  // namespace

extern const Tool tool_opensnoop = {
    .name = "opensnoop",
    .summary = "shows each open of a file: who, which file, and the descriptor or the error",
    .manual = kOpensnoopManual,
    .details = kOpensnoopDetails,
    .options = kOpenOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kOpenColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
