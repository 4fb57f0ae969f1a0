// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Several stacks in one column, as offwaketime of other suites has them: of who waits, of who made an end of that, and
// so on.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace strata {

class Resolver;

// A stack in two parts, the kernel's above the program's; 0: it has none.
std::string frames_of(uint64_t kernel, uint64_t user, Resolver &names);

// The waker's, from its outermost function on, above the rule, so that who woke meets who slept.
std::string stack_pair(const std::string &waker, const std::string &blocked);

// The same of several, each of which woke the one before it, under its name: a rule stands between each two.
struct NamedStack {
  std::string name, frames;
};
std::string stack_chain(std::span<const NamedStack> wakers, const std::string &blocked);

}  // namespace strata
