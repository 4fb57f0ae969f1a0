// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Users of this machine, of /etc/passwd and /etc/group: a static binary has no name service to ask.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"

namespace strata {

struct User {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
  std::string home, shell;
  std::vector<gid_t> groups;  // all of them, its own first
};

// By name, or by number if no user has such a name; none if there is no such user.
std::optional<User> find_user(std::string_view name_or_uid, Lines &&passwd = Lines("/etc/passwd"),
                              Lines &&group = Lines("/etc/group"));

std::vector<std::string> user_names();

}  // namespace strata
