#include "run/doctor.h"

#include <bpf/libbpf.h>
#include <linux/capability.h>

#include <cerrno>
#include <map>
#include <memory>

#include "base/text.h"
#include "bpf/host.h"
#include "bpf/object.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

std::string yes(bool value) { return value ? "yes" : "no"; }

std::string number_text(const std::optional<int> &number) { return number ? std::to_string(*number) : "?"; }

class Report {
 public:
  explicit Report(Session &session) : session_(session) {}

  void row(std::string_view about, std::string_view name, const std::string &state, const std::string &detail) {
    session_.out().row(session_.columns(), {std::string(about), std::string(name), state, detail});
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

}  // namespace

int run_doctor(Session &session, std::span<const Tool *const> tools) {
  session.begin();
  Report report(session);
  report_host(report, host());
  report_needs(report, host());
  for (const Tool *tool : tools) {
    for (const Blueprint &blueprint : tool->loads) report_blueprint(report, *tool, blueprint);
  }
  return session.finish();
}

}  // namespace strata
