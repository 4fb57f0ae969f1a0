// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How an Error is worded when the kernel gave the reason.
#include "base/error.h"

#include <cstring>

namespace strata {

Error usage_error(const std::string &what) { return Error(what, kUsageStatus); }

Error system_error(const std::string &what, int err) {
  return Error(what + ": " + strerror(err) + (err == EMFILE ? "; raise the limit, run: ulimit -n 1024" : ""));
}

}  // namespace strata
