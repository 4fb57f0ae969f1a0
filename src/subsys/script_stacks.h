// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// User space in a program of the probe language: its stacks, which are walked between the two halves of a program
// (bpf/run), and its functions by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bpf/variant.h"
#include "expr/plan.h"

namespace strata {

class Object;
class Session;
class Stacks;

// The walks: programs with functions, which go on to the second half by a tail call. One of them says for all what is
// lost without them.
inline constexpr Hook kScriptHooks[] = {
    {.name = "run_walk_user",
     .required = false,
     .lost_without = "stacks of user space (ustack, -U)",
     .need = Need::kTailCall},
    {.name = "run_walk_raw", .required = false, .need = Need::kTailCall},
    {.name = "run_walk_tracepoint", .required = false, .need = Need::kTailCall},
    {.name = "run_walk_perf", .required = false, .need = Need::kTailCall},
    {.name = "run_walk_kernel", .required = false, .need = Need::kTailCall},
    {.name = "run_walk_caller", .required = false, .need = Need::kTailCall},
};

class ScriptStacks {
 public:
  // Before the object is loaded; throws Error where the host permits no walk. What the program does not want costs
  // nothing.
  ScriptStacks(Session &session, Object &object, const expr::Plan &plan);
  ~ScriptStacks();
  ScriptStacks(ScriptStacks &&) noexcept;
  ScriptStacks &operator=(ScriptStacks &&) noexcept;

  static constexpr uint32_t kFirstRest = 3;  // as expr::Circumstances has it

  void start();  // when it is loaded; throws Error
  [[nodiscard]] int walk_fd() const;
  [[nodiscard]] int halves_fd(const expr::Target &target) const;
  // What is behind the walk of the program with this number.
  void add_half(const expr::Target &target, size_t program, int fd);  // throws Error

  // A function a line, the innermost first.
  [[nodiscard]] std::string functions(uint64_t stack, bool offsets) const;
  // The same with addresses, or these alone.
  [[nodiscard]] std::vector<std::string> addresses(uint64_t stack, bool alone) const;
  [[nodiscard]] std::string function(uint32_t tgid, uint64_t address) const;

 private:
  Object *object_;
  std::unique_ptr<Stacks> stacks_;  // none: the program shows nothing of user space
};

}  // namespace strata
