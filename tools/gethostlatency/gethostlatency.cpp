// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata gethostlatency: each lookup of a host by a C library, and how long it took.
#include "gethostlatency/gethostlatency.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/pattern.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "gethostlatency.manual.h"
#include "gethostlatency.skel.h"
#include "gethostlatency/lookup.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "kern/netdb.h"
#include "model/columns.h"
#include "run/events.h"
#include "run/tool.h"
#include "subsys/library_probes.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "failed", .short_name = 'x', .help = "only lookups that failed", .constant = "failed_only"},
    {.name = "host",
     .value = "PATTERN",
     .kind = OptionKind::kTexts,
     .help =
         "only hosts that match: all of the name if the pattern has *, ? or [], else any part of it; may be repeated"},
    min_option({.name = "min-latency", .help = "only lookups that took so long (10ms, 1s)"}),
    {.name = "lib",
     .short_name = 'l',
     .value = "FILE",
     .kind = OptionKind::kTexts,
     .help = "look only into this library or static program; may be repeated"},
};

// In the order of enum host_call.
constexpr std::string_view kCalls[] = {"getaddrinfo",      "gethostbyname", "gethostbyname2",  "gethostbyname_r",
                                       "gethostbyname2_r", "gethostbyaddr", "gethostbyaddr_r", "getnameinfo"};
static_assert(std::size(kCalls) == CALL_GETNAMEINFO + 1);

std::string call_of(const host_event &e) {
  return e.call < std::size(kCalls) ? std::string(kCalls[e.call]) : "call " + std::to_string(e.call);
}

std::string result_of(const host_event &e) {
  switch (e.outcome) {
    case HOST_OK:
      return "ok";
    case HOST_EAI:
      return eai_name(e.code);
    case HOST_H_ERRNO:
      return h_errno_name(e.code);
    case HOST_ERRNO:
      return errno_name(e.code);
    case HOST_UNFINISHED:
      return "unfinished";
    case HOST_UNDER_WAY:
      return "under way";
    default:
      return "failed";
  }
}

// A name that fills its room is longer than any host's may be, and was cut.
std::optional<std::string> host_of(const host_event &e) {
  if (e.has_name == 0) {
    return if_known(e.addr_hi != 0 || e.addr_lo != 0, address_text({.hi = e.addr_hi, .lo = e.addr_lo}));
  }
  const size_t bytes = strnlen(e.name, sizeof(e.name));
  return std::string(e.name, bytes) + (bytes + 1 < sizeof(e.name) ? "" : "...");
}

constexpr Field kFields[] = {
    time_column({STORED(host_event, ts_ns), .help = "when the function returned"}),
    pid_column({STORED(host_event, tgid), .help = "the process"}),
    tid_column({STORED(host_event, tid), .help = "the thread", .hidden = true}),
    comm_column({STORED(host_event, comm), .help = "its name"}),
    {STORED(host_event, call), COMPUTED(call_of), .key = "function", .title = "CALL", .width = -16,
     .help = "the function", .hidden = true},
    latency_column({STORED(host_event, lat_ns), .help = "how long it took"}),
    {STORED(host_event, code), COMPUTED(result_of), .key = "result", .title = "RESULT", .width = -14,
     .help = "ok, the error, \"unfinished\" (it never returned), \"under way\" (at the end of the run)"},
    {STORED(host_event, outcome), COMPUTED([](const host_event &e) { return e.outcome == HOST_OK; }), .key = "found",
     .title = "OK", .width = -3, .help = "was it found?", .hidden = true},
    {STORED(host_event, addr_hi)},
    {STORED(host_event, addr_lo)},
    {STORED(host_event, has_name)},
    {STORED(host_event, name), COMPUTED(host_of), .key = "query", .title = "HOST",
     .help = "the name, or the address whose name was asked for", .may_be_empty = true},
};
constexpr RecordType kLookup = record_type<host_event>("lookup", kFields);

constexpr std::string_view kLosses[] = {"name could not be read", "program whose libraries nobody looked at",
                                        "program ended before its library was found"};
Keep keep(const Values &options) {
  if (!options.given("host")) return {};
  return keep_if<host_event>([patterns = options.texts("host")](const host_event &e) {
    const std::optional<std::string> host = host_of(e);
    return host && std::ranges::any_of(patterns, [&](auto &one) { return pattern_matches(one, *host); });
  });
}

constexpr View kViews[] = {{.name = "lines", .shape = EventSpec{.record = &kLookup, .losses = kLosses, .keep = keep}}};

bool is_c_library(std::string_view file) {
  return file == "libc.so.6" || file == "libc.so" || file.starts_with("libc-2.") || file.starts_with("ld-musl-") ||
         file.starts_with("libc.musl-");
}

constexpr LibraryFunctions kFunctions = {.library = "C library",
                                         .names = kCalls,
                                         .begin = "lookup_begin",
                                         .end = "lookup_end",
                                         .is_library = is_c_library,
                                         .usual = kUsualCLibraries,
                                         .ended = LOSS_ENDED};

constexpr Hook kHooks[] = {
    {.name = "lookup_begin"},
    {.name = "lookup_end"},
    {.name = "lookup_left", .required = false, .lost_without = "lookups that were under way when their thread ended"},
    {.name = "program_begin", .required = false, .lost_without = "libraries that appear while it runs"},
};

void prepare(Object &object) { choose_library_hooks(object, kFunctions); }

// Lookups that have not returned when the run ends; the host is known unless it was not in memory.
void read_unfinished(const Object &object, uint64_t min_ns, const EventsMoments::OnRecord &on_record) {
  const std::vector<std::byte> lines = object.memory(".bss");
  const uint64_t now = monotonic_ns();
  for (size_t at = 0; at + sizeof(lookup) <= lines.size(); at += sizeof(lookup)) {
    lookup one;
    memcpy(&one, lines.data() + at, sizeof(one));
    host_event &e = one.e;
    if (one.tid == 0 || one.read == 0 || now - e.ts_ns < min_ns) continue;
    e.lat_ns = now - e.ts_ns;
    e.ts_ns = now;
    e.outcome = HOST_UNDER_WAY;
    e.name[sizeof(e.name) - 1] = '\0';
    on_record(&e, offsetof(host_event, name) + strlen(e.name) + 1);
  }
}

int trace(const Values &values, Session &session, Object &object) {
  prepare(object);
  object.enable("program_begin", !values.given("lib"));
  std::optional<LibraryProbes> probes;
  const EventsMoments moments = {
      .attached = [&] { probes.emplace(session, object, kFunctions, values.texts("lib")); },
      .left = [&](const auto &on_record) { read_unfinished(object, values.duration_ns("min-latency"), on_record); },
  };
  return run_events(session, object, moments);
}

}  // namespace

extern const Tool tool_gethostlatency = {
    .name = "gethostlatency",
    .subsystem = Subsystem::kNetwork,
    .summary = "show each lookup of a host: how long it took, and the error",
    .manual = kManual,
    .options = kOptions,
    .views = kViews,
    .programs = {.elf = gethostlatency_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare},
    .stacks = user_event_stacks(gethostlatency_stacks_bpf__elf_bytes),
    .trace = trace,
};

}  // namespace strata
