// strata gethostlatency: each lookup of a host by a C library, and how long it took.
#include <optional>

#include "base/pattern.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "gethostlatency.manual.h"
#include "gethostlatency.rows.h"
#include "gethostlatency.skel.h"
#include "render/sink.h"
#include "run/library_probes.h"
#include "run/session.h"
#include "run/tool.h"

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

bool is_c_library(std::string_view file) {
  return file == "libc.so.6" || file == "libc.so" || file.starts_with("libc-2.") || file.starts_with("ld-musl-") ||
         file.starts_with("libc.musl-");
}

constexpr std::string_view kUsual[] = {
    "/lib/x86_64-linux-gnu/libc.so.6",  "/lib64/libc.so.6", "/lib/i386-linux-gnu/libc.so.6", "/lib32/libc.so.6",
    "/lib/aarch64-linux-gnu/libc.so.6", "/lib/libc.so.6",   "/lib/ld-musl-x86_64.so.1",      "/lib/ld-musl-i386.so.1",
    "/lib/ld-musl-aarch64.so.1",
};

constexpr LibraryFunctions kFunctions = {.library = "C library",
                                         .names = kCalls,
                                         .begin = "lookup_begin",
                                         .end = "lookup_end",
                                         .is_library = is_c_library,
                                         .usual = kUsual};

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
  const auto wanted = [&](const Row &row) {
    const std::string *host = std::get_if<std::string>(&row[kHost]);
    return host &&
           std::any_of(patterns.begin(), patterns.end(), [&](auto &one) { return pattern_matches(one, *host); });
  };
  std::optional<LibraryProbes> probes;
  return run_events(session, object, kEvents, patterns.empty() ? Keep() : wanted,
                    [&] { probes.emplace(session, object, kFunctions, values.texts("lib")); });
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
