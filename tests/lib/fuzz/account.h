// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The account of a followed run adds up, whatever the records were.
#pragma once

#include <cstdint>

#include "follow/recv/hops.h"
#include "follow/test.h"
#include "fuzz.h"

namespace strata {

// `shown` samples were given to the sinks; what is not among them was never reported, and is lost, or was not asked
// for.
inline void require_balance(const Account &account, uint64_t shown) {
  const uint64_t sum = sum_of_outcomes(account);
  require(account.sampled == sum);
  require(sum - account.of(kLost) - account.of(kOfOthers) <= shown && shown <= sum);
}

}  // namespace strata
