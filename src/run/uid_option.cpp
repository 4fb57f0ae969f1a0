// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/uid_option.h"

#include "kern/users.h"

namespace strata {

bool uid_of_name(std::string_view name, uint64_t &uid) {
  const std::optional<User> user = find_user(name);
  if (user) uid = user->uid;
  return user.has_value();
}

}  // namespace strata
