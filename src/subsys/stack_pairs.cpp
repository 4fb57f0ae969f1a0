// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/stack_pairs.h"

#include <string_view>

#include "base/text.h"
#include "run/resolver.h"

namespace strata {
namespace {

std::string both(std::string above, const std::string &below) {
  if (!above.empty() && !below.empty()) above += "\n";
  return above + below;
}

std::string turned(const std::string &frames) {
  std::string text;
  for (const std::string_view frame : split(frames, '\n')) text = both(std::string(frame), text);
  return text;
}

}  // namespace

std::string frames_of(uint64_t kernel, uint64_t user, Resolver &names) {
  return both(kernel == 0 ? "" : names.stack(kernel), user == 0 ? "" : names.stack(user));
}

std::string stack_pair(const std::string &waker, const std::string &blocked) {
  if (blocked.empty() || waker.empty()) return both(waker, blocked);
  return turned(waker) + "\n--\n" + blocked;
}

std::string stack_chain(std::span<const NamedStack> wakers, const std::string &blocked) {
  std::string text = blocked;
  for (const NamedStack &waker : wakers)
    text = both(both(printable(waker.name), turned(waker.frames)), both("--", text));
  return text;
}

}  // namespace strata
