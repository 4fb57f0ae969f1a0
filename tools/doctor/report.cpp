// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "report.h"

#include <linux/capability.h>

#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "bpf/host.h"
#include "bpf/object.h"
#include "run/session.h"
#include "run/tool.h"
#include "run/types_file.h"

namespace strata {
namespace {

std::string yes(bool value) { return value ? "yes" : "no"; }

std::string number_text(const std::optional<int> &number) { return number ? std::to_string(*number) : "?"; }

class Report {
 public:
  explicit Report(Session &session) : session_(session) {}

  void row(std::string_view about, std::string_view name, const std::string &state, const std::string &detail,
           const Value &program = {}, const Value &verified_insns = {}, const Value &capabilities = {}) {
    const Row row = {std::string(about), std::string(name), state, detail, program, capabilities, verified_insns};
    session_.out().put(DecodedRow{session_.columns(), row});
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
  report.row(
      "host", "memlock", host.memlock_bytes == UINT64_MAX ? "none" : scaled_bytes(host.memlock_bytes),
      host.memlock_counts()
          ? "limit of locked memory; it counts here, and strata may not raise it; in what starts it, run: ulimit -l "
            "unlimited"
          : "limit of locked memory; counts before 5.11 only, and strata raises it if it may");
  report.row("host", "unprivileged", number_text(host.unprivileged_bpf_disabled), "kernel.unprivileged_bpf_disabled");
  report.row("host", "perf", number_text(host.perf_event_paranoid), "kernel.perf_event_paranoid");
}

std::string tried(Need need) {
  switch (need) {
    case Need::kBtf:
      return "read";
    case Need::kRingBuffer:
      return "created";
    case Need::kKprobe:
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
    const std::string from = need == Need::kBtf && !types_file().empty() ? " from " + types_file() : "";
    report.row("permits", name_of(need), yes(missing.empty()), missing.empty() ? tried(need) + from : missing);
  }
}

// "without writeback_dirty_page: the pages that were dirtied"; empty if all is there
std::string lost_of(Object &object, std::span<const Hook> hooks) {
  std::string lost;
  for (const Object::Choice &choice : object.chosen()) {
    if (!choice.variant.empty() || choice.why == Object::kNotAskedFor) continue;
    for (const Hook &hook : hooks) {
      if (hook.name != choice.hook || hook.lost_without.empty()) continue;
      if (!hook.or_else.empty() && object.variant(hook.or_else)) continue;
      lost += (lost.empty() ? "without " : "; without ") + choice.hook + ": " + std::string(hook.lost_without);
    }
  }
  return lost;
}

// "20 btf, 2 only"
std::string variants_of(Object &object) {
  std::map<std::string, int> counts;
  for (const Object::Choice &choice : object.chosen()) {
    if (!choice.variant.empty()) ++counts[choice.variant];
  }
  std::string text;
  for (const auto &[variant, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + variant;
  }
  return text;
}

// Why the tool cannot start; empty if it can.
std::string refusal_of(Object &object, bool load, std::vector<Object::Cost> &costs) {
  std::string refusal = object.refusal();
  if (!load || !refusal.empty()) return refusal;
  try {
    costs = object.load_counted();
    object.attach();
    object.detach();
  } catch (const Error &error) {
    refusal = error.what();
  }
  return refusal;
}

void report_costs(Report &report, const Tool &tool, std::span<const Object::Cost> costs, std::string_view prefix) {
  for (const auto &[program, insns] : costs) {
    const std::string name = std::string(prefix) + program;
    const std::string detail = name + (insns ? ": " + std::to_string(*insns) + " instructions verified" : "");
    report.row("program", tool.name, "yes", detail, name, insns ? Value(*insns) : Value());
  }
}

// What is lost without the programs that --stack loads instead; empty if they load.
std::string report_stacks(Report &report, const Tool &tool) {
  Programs programs = tool.programs;
  programs.elf = tool.stacks.elf;
  Object object(tool.name, programs);
  if (programs.prepare) programs.prepare(object);
  std::vector<Object::Cost> costs;
  const std::string refusal = refusal_of(object, true, costs);
  report_costs(report, tool, costs, "stack:");
  return refusal.empty() ? "" : "--stack: " + refusal;
}

// What was found out about the programs of a tool, of which there may be several objects.
struct Findings {
  std::string refusal, lost, variants;
  std::vector<Object::Cost> costs;
  std::set<std::string_view> capabilities;
};

void add(std::string &text, const std::string &more, const char *between) {
  if (!more.empty()) text += (text.empty() ? "" : between) + more;
}

// `of`: whose programs they are, where the tool has several.
void look_at(const Tool &tool, const Programs &programs, const std::string &of, bool load, Findings &found) {
  Object object(tool.name, programs);
  if (programs.prepare) programs.prepare(object);
  std::vector<Object::Cost> costs;
  const std::string refusal = refusal_of(object, load, costs);
  add(found.refusal, refusal.empty() ? "" : of + refusal, "; ");
  if (!refusal.empty()) return;
  add(found.lost, lost_of(object, programs.hooks), "; ");
  for (const Need need : object.needs()) found.capabilities.merge(host().capabilities_for(need));
  add(found.variants, of + variants_of(object), "; ");
  for (Object::Cost &cost : costs) found.costs.push_back(std::move(cost));
}

// These refuse what a program does, or how much it is: that programs of its kind load says nothing.
bool kind_is_not_enough(const Host &host) { return host.lockdown == "confidentiality" || host.memlock_counts(); }

void report_tool(Report &report, const Tool &tool, bool load) {
  Findings found;
  const bool try_it = load || (host().privileged() && kind_is_not_enough(host()));
  if (tool.programs.elf != nullptr) look_at(tool, tool.programs, "", try_it, found);
  for (const Followed &one : tool.followed) look_at(tool, one.programs, std::string(one.name) + ": ", try_it, found);
  if (!found.refusal.empty()) {
    report.row("tool", tool.name, "no", found.refusal);
    return;
  }
  if (load && tool.stacks.elf != nullptr) add(found.lost, report_stacks(report, tool), "; ");
  report.row("tool", tool.name, found.lost.empty() ? "full" : "degraded",
             found.variants + (found.lost.empty() ? "" : "; ") + found.lost, {}, {}, join(found.capabilities, " "));
  if (load) report_costs(report, tool, found.costs, "");
}

}  // namespace

int run_doctor(Session &session, std::span<const Tool *const> tools, bool load) {
  session.begin();
  Report report(session);
  report_host(report, host());
  report_needs(report, host());
  for (const Tool *tool : tools) {
    if (!all_programs_of(*tool).empty()) report_tool(report, *tool, load);
  }
  session.report({});
  return session.finish();
}

}  // namespace strata
