// strata gethostlatency: each lookup of a host by a C library, and how long it took.
#include <algorithm>
#include <optional>

#include "base/pattern.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "gethostlatency.libraries.h"
#include "gethostlatency.manual.h"
#include "gethostlatency.rows.h"
#include "gethostlatency.skel.h"
#include "render/sink.h"
#include "run/session.h"
#include "run/tool.h"
#include "subsys/library_probes.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "failed", .letter = 'x', .help = "only lookups that failed"},
    {.name = "host",
     .value = "PATTERN",
     .kind = OptionKind::kTexts,
     .help =
         "only hosts that match: all of the name if the pattern has *, ? or [], else any part of it; may be repeated"},
    {.name = "min-latency",
     .letter = 'm',
     .value = "TIME",
     .kind = OptionKind::kDuration,
     .help = "only lookups that took so long (10ms, 1s)"},
    {.name = "lib",
     .letter = 'l',
     .value = "FILE",
     .kind = OptionKind::kTexts,
     .help = "look only into this library or static program; may be repeated"},
};

constexpr Hook kHooks[] = {
    {.name = "lookup_begin"},
    {.name = "lookup_end"},
    {.name = "lookup_left", .required = false, .lost_without = "lookups that were under way when their thread ended"},
    {.name = "program_begin", .required = false, .lost_without = "libraries that appear while it runs"},
};

void prepare(Object &object) { choose_library_hooks(object, kFunctions); }
const Blueprint kLoads[] = {{.elf = gethostlatency_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare}};

int run(const Values &values, Session &session) {
  Skeleton<gethostlatency_bpf> skel;
  Object object(skel->skeleton, kHooks);
  prepare(object);
  object.enable("program_begin", !values.given("lib"));
  object.set_knob("failed_only", values.given("failed"));
  object.set_knob("min_ns", values.duration_ns("min-latency"));
  const std::vector<std::string> &patterns = values.texts("host");
  const auto wanted = [&](const host_event &e) {
    const Value asked = host_of(e);
    const std::string *host = std::get_if<std::string>(&asked);
    return host &&
           std::any_of(patterns.begin(), patterns.end(), [&](auto &one) { return pattern_matches(one, *host); });
  };
  std::optional<LibraryProbes> probes;
  const EventsMoments moments = {
      .attached = [&] { probes.emplace(session, object, kFunctions, values.texts("lib")); },
      .left = [&](const auto &take) { take_under_way(object, values.duration_ns("min-latency"), take); },
  };
  return run_events(session, object, kEvents, patterns.empty() ? Keep() : keep_if<host_event>(wanted), moments);
}

}  // namespace

extern const Tool tool_gethostlatency = {
    .name = "gethostlatency",
    .summary = "shows each lookup of a host by name or address: how long it took, and the error",
    .manual = kGethostlatencyManual,
    .details = kGethostlatencyDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesBuffer | kTakesColumns,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay_events<kEvents>,
};

}  // namespace strata
