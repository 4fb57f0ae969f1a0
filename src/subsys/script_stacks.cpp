// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_stacks.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "base/error.h"
#include "base/format.h"
#include "base/text.h"
#include "bpf/host.h"
#include "bpf/object.h"
#include "run/run.h"
#include "run/session.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

static_assert(ScriptStacks::kFirstRest == RUN_REST);
static_assert(offsetof(run_walk, users) == 0 && offsetof(run_walk, stack) == 8 && offsetof(run_walk, rest) == 16);

// Which array a program's halves are in, and which walks that one has.
struct Halves {
  const char *map;
  const char *walks[RUN_REST];
};
constexpr Halves kHalves[] = {
    {"run_halves_raw", {"run_walk_raw"}},
    {"run_halves_tracepoint", {"run_walk_tracepoint"}},
    {"run_halves_perf", {"run_walk_perf"}},
    {"run_halves_probe", {"run_walk_kernel", "run_walk_user", "run_walk_caller"}},
};

const Halves &halves_of(const expr::Target &target) {
  if (target.has_registers()) return kHalves[3];
  if (target.is("tracepoint")) return kHalves[1];
  return target.is("rawtracepoint") ? kHalves[0] : kHalves[2];
}

size_t walk_of(const expr::Target &target) {
  if (!target.in_user_space()) return RUN_WALK;
  return target.returns() ? RUN_WALK_CALLER : RUN_WALK_USER;
}

}  // namespace

ScriptStacks::ScriptStacks(Session &session, Object &object, const expr::Plan &plan) : object_(&object) {
  for (const Halves &halves : kHalves) {
    const auto uses = [&](const char *walk) {
      return walk != nullptr && std::ranges::any_of(plan.programs, [&](const expr::Code &code) {
               return !code.rest.instructions.empty() && halves_of(code.target).walks[walk_of(code.target)] == walk;
             });
    };
    for (const char *walk : halves.walks)
      if (walk != nullptr) object.enable(walk, uses(walk));
    if (std::ranges::any_of(halves.walks, [&](const char *walk) { return uses(walk) && !object.variant(walk); })) {
      const std::string missing = host().missing(Need::kTailCall);
      throw Error("stacks of user space (ustack, -U) cannot be walked" + (missing.empty() ? missing : ": " + missing));
    }
    if (std::ranges::any_of(halves.walks, uses))
      object.set_max_entries(halves.map, static_cast<uint32_t>(RUN_REST + plan.programs.size()));
  }
  if (plan.names_user_code) {
    stacks_ = std::make_unique<Stacks>(session, object);
    stacks_->remember_walks();
    return;
  }
  Stacks::leave_out(object);
  object.enable("stack_exec", false);
}

ScriptStacks::~ScriptStacks() = default;
ScriptStacks::ScriptStacks(ScriptStacks &&) noexcept = default;
ScriptStacks &ScriptStacks::operator=(ScriptStacks &&) noexcept = default;

void ScriptStacks::start() {
  if (stacks_ == nullptr) return;
  stacks_->start();
  for (const Halves &halves : kHalves)
    for (uint32_t i = 0; i < RUN_REST; i++) {
      if (halves.walks[i] == nullptr || object_->variant(halves.walks[i]) == nullptr) continue;
      const int fd = bpf_program__fd(bpf_object__find_program_by_name(object_->get(), halves.walks[i]));
      const int err = bpf_map_update_elem(object_->map_fd(halves.map), &i, &fd, BPF_ANY);
      if (err != 0) throw system_error("cannot put a walk of stacks where programs find it", -err);
    }
}

int ScriptStacks::walk_fd() const { return object_->map_fd("run_walks"); }
int ScriptStacks::halves_fd(const expr::Target &target) const { return object_->map_fd(halves_of(target).map); }

void ScriptStacks::add_half(const expr::Target &target, size_t program, int fd) {
  const auto number = static_cast<uint32_t>(RUN_REST + program);
  const int err = bpf_map_update_elem(halves_fd(target), &number, &fd, BPF_ANY);
  if (err != 0) throw system_error("cannot put a half of a program where its walk finds it", -err);
}

std::string ScriptStacks::functions(uint64_t stack, bool offsets) const {
  return stacks_ == nullptr ? "" : stacks_->frames(stack, name_of_kernel_address, offsets);
}

std::vector<std::string> ScriptStacks::addresses(uint64_t stack, bool alone) const {
  std::vector<std::string> all;
  if (stacks_ == nullptr) return all;
  for (const Stacks::Frame &one : stacks_->user_part(stack)) {
    const std::string file = one.file.empty() ? "" : printable(one.file);
    if (one.address == 0)
      all.push_back(one.function);
    else if (alone)
      all.push_back(one.in_memory ? formatted("{:x}", one.address) : file + formatted("+{:#x}", one.address));
    else
      all.push_back(formatted("{:x} ", one.address) + printable(one.function) +
                    (file.empty() ? "" : " (" + file + ")"));
  }
  return all;
}

std::string ScriptStacks::function(uint32_t tgid, uint64_t address) const {
  return stacks_ == nullptr ? "" : stacks_->function(tgid, address);
}

}  // namespace strata
