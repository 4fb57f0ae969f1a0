// strata tcpaccept: each TCP connection that is accepted, and how long it waited for that.
#include <optional>

#include "base/error.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "render/sink.h"
#include "run/session.h"
#include "run/tool.h"
#include "tcpaccept.drops.h"
#include "tcpaccept.manual.h"
#include "tcpaccept.rows.h"
#include "tcpaccept.skel.h"

namespace strata {
namespace {

constexpr uint32_t kSlots =
    16384;  // of histograms without a group (bpf/lib/core/hist_groups.h); more are a counted loss

// By the function or by system calls: prepare() decides.
constexpr Hook kHooks[] = {{.name = "accept_end"}, {.name = "sys_exit"}};

// The function catches no other system call.
void prepare(Object &object) {
  const bool function = object.variant("accept_end") != nullptr;
  object.enable("accept_end", function);
  object.enable("sys_exit", !function);
}

const Blueprint kLoads[] = {{.elf = tcpaccept_bpf::elf_bytes, .hooks = kHooks, .prepare = prepare}};
constexpr Link kLinks[] = {{"tcpsynbl", "--backlog"}};

int run(const Values &values, Session &session);
int replay(Recording &recording, Session &session);

}  // namespace

extern const Tool tool_tcpaccept = {
    .name = "tcpaccept",
    .summary = "shows each TCP connection that is accepted: from where, and how long it waited",
    .manual = kTcpacceptManual,
    .details = kTcpacceptDetails,
    .options = kOptions,
    .takes = kTakesTracing | kTakesInterval | kTakesBuffer | kTakesColumns,
    .links = kLinks,
    .formats = kRowFormats,
    .columns = kColumns,
    .loads = kLoads,
    .run = run,
    .replay = replay,
};

namespace {

accept_of shape_asked(const Values &values) {
  const bool queue = values.given("queue-time"), backlog = values.given("backlog");
  if (queue && backlog) throw usage_error("--queue-time and --backlog exclude each other");
  if (values.given("drops") && (queue || backlog)) throw usage_error("--drops adds lines: without -Q and -B");
  if (!queue && !backlog) refuse(values, {"interval", "count"}, "is for the histograms of --queue-time and --backlog");
  if (queue) return ACCEPT_QUEUE_TIME;
  return backlog ? ACCEPT_BACKLOG : ACCEPT_LIST;
}

// Histograms instead of lines.
const Histograms &histograms_shown(Session &session, accept_of shape) {
  Tool shown = tool_tcpaccept;
  shown.formats = kDistributionFormats;
  session.show(shown);
  return shape == ACCEPT_BACKLOG ? kBacklogs : kQueueTimes;
}

int run(const Values &values, Session &session) {
  const accept_of shape = shape_asked(values);
  Skeleton<tcpaccept_bpf> skel;
  Object object(skel->skeleton, kHooks);
  prepare(object);
  choose_ends(values, object);
  object.set_knob("min_ns", values.duration_ns("min-queue"));
  object.set_knob("shown_as", static_cast<uint32_t>(shape));
  std::optional<Drops> drops;
  if (values.given("drops")) drops.emplace(session, object);
  shape == ACCEPT_LIST ? without_groups(object, "accepted") : object.set_max_entries("accepted", kSlots);
  if (shape == ACCEPT_LIST) return run_events(session, object, kEvents);
  return run_histogram(session, object, "accepted", histograms_shown(session, shape));
}

int replay(Recording &recording, Session &session) {
  const accept_of shape = shape_of(recording);
  if (shape == ACCEPT_LIST) return replay_events(recording, session, kEvents);
  return replay_histogram(recording, session, histograms_shown(session, shape));
}

}  // namespace
}  // namespace strata
