// strata doctor: what this host permits, which tools run on it and how, and what to change for those that do not.
#include <linux/capability.h>

#include <map>
#include <memory>

#include "base/text.h"
#include "bpf/host.h"
#include "bpf/object.h"
#include "run/dispatch.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "about", .title = "ABOUT", .width = -7, .help = "host: a fact; permits: tried just now; tool: a tool"},
    {.key = "name", .title = "NAME", .width = -12, .help = "what was looked at"},
    {.key = "state", .title = "STATE", .width = -6, .help = "yes or no; what was read, of the host"},
    {.key = "detail", .title = "DETAIL", .width = -1, .help = "how a tool runs, or what is missing and what to do"},
};
constexpr std::string_view kFormats[] = {"text", "json", "csv"};

std::string yes(bool value) { return value ? "yes" : "no"; }

std::string number_text(const std::optional<int> &number) { return number ? std::to_string(*number) : "?"; }

class Report {
 public:
  explicit Report(Session &session) : session_(session) {}

  void row(std::string_view about, std::string_view name, const std::string &state, const std::string &detail) {
    session_.out().row(kColumns, {std::string(about), std::string(name), state, detail});
  }

 private:
  Session &session_;
};

void report_host(Report &report, const Host &host) {
  report.row("host", "kernel", host.machine, host.release);
  constexpr std::pair<int, const char *> kCapabilities[] = {{CAP_BPF, "cap_bpf"},
                                                            {CAP_PERFMON, "cap_perfmon"},
                                                            {CAP_SYS_ADMIN, "cap_sys_admin"},
                                                            {CAP_SYS_RESOURCE, "cap_sys_resource"}};
  std::string held;
  for (const auto &[capability, name] : kCapabilities) {
    if (host.has_capability(capability)) held += (held.empty() ? "" : " ") + std::string(name);
  }
  report.row("host", "privileged", yes(host.privileged()), held.empty() ? "no capability that BPF needs" : held);
  report.row(
      "host", "lockdown", host.lockdown.empty() ? "?" : host.lockdown,
      host.lockdown.empty() ? "not in this kernel, or securityfs is not mounted" : "/sys/kernel/security/lockdown");
  report.row("host", "tracefs", yes(host.tracefs), host.tracefs ? "mounted" : "not mounted");
  report.row("host", "memlock", host.memlock_bytes == UINT64_MAX ? "none" : scaled_bytes(host.memlock_bytes),
             "limit of locked memory; counts before 5.11 only, and strata raises it if it may");
  report.row("host", "unprivileged", number_text(host.unprivileged_bpf_disabled), "kernel.unprivileged_bpf_disabled");
  report.row("host", "perf", number_text(host.perf_event_paranoid), "kernel.perf_event_paranoid");
}

std::string tried(Need need) {
  switch (need) {
    case Need::kBtf:
      return "read";
    case Need::kRingBuffer:
      return "created";
    case Need::kFentry:
    case Need::kKprobe:
    case Need::kUprobe:
    case Need::kPerfEvent:
      return "loaded and attached";
    default:
      return "loaded";
  }
}

void report_needs(Report &report, const Host &host) {
  for (size_t i = 0; i < kNeeds; ++i) {
    const Need need = static_cast<Need>(i);
    const std::string missing = host.missing(need);
    report.row("permits", name_of(need), yes(missing.empty()), missing.empty() ? tried(need) : missing);
  }
}

// "btf 20, only 2; without writeback_dirty_page: the pages that were dirtied"
std::string describe(Object &object, std::span<const Hook> hooks) {
  std::map<std::string, int> counts;
  std::string lost;
  for (const Object::Choice &choice : object.chosen()) {
    if (!choice.variant.empty()) {
      ++counts[choice.variant];
      continue;
    }
    for (const Hook &hook : hooks) {
      const bool asked = choice.why != Object::kNotAskedFor;
      if (asked && hook.name == choice.hook && !hook.lost_without.empty()) {
        lost += "; without " + choice.hook + ": " + std::string(hook.lost_without);
      }
    }
  }
  std::string text;
  for (const auto &[variant, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + variant;
  }
  return text + lost;
}

void report_blueprint(Report &report, const Tool &tool, const Blueprint &blueprint) {
  size_t size = 0;
  const void *elf = blueprint.elf(&size);
  const std::unique_ptr<bpf_object, void (*)(bpf_object *)> owner(bpf_object__open_mem(elf, size, nullptr),
                                                                  bpf_object__close);
  if (!owner) throw_open_error(errno);
  Object object(owner.get(), blueprint.hooks);
  if (blueprint.prepare) blueprint.prepare(object);
  const std::string refusal = object.refusal();
  report.row("tool", tool.name, yes(refusal.empty()), refusal.empty() ? describe(object, blueprint.hooks) : refusal);
}

int run(const Values & /*values*/, Session &session) {
  session.loop().stop();  // nothing to wait for: run() only begins the outputs
  session.run();
  Report report(session);
  report_host(report, host());
  report_needs(report, host());
  for (const Tool *tool : kTools) {
    for (const Blueprint &blueprint : tool->loads) report_blueprint(report, *tool, blueprint);
  }
  return session.finish();
}

}  // namespace

extern const Tool tool_doctor = {
    .name = "doctor",
    .summary = "say what this host permits, and which tools run on it",
    .manual =
        "Tries each kind of BPF program on this host (an empty one, attached at most to a function that the kernel "
        "keeps for such tests), and says for each tool in which variants its hooks would be loaded. It needs no "
        "privileges: then it says what is missing.\n\n"
        "The exit status is 0 whatever is missing. A tool that cannot start says the same sentence as doctor.",
    .takes = 0,
    .formats = kFormats,
    .columns = kColumns,
    .run = run,
};

}  // namespace strata
