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

}  // namespace

std::string frames_of(uint64_t kernel, uint64_t user, Resolver &names) {
  return both(kernel == 0 ? "" : names.stack(kernel), user == 0 ? "" : names.stack(user));
}

std::string stack_pair(const std::string &waker, const std::string &blocked) {
  if (blocked.empty() || waker.empty()) return both(waker, blocked);
  std::string turned;
  for (const std::string_view frame : split(waker, '\n')) turned = both(std::string(frame), turned);
  return turned + "\n--\n" + blocked;
}

}  // namespace strata
