// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/users.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace strata {
namespace {

std::optional<uint32_t> number_of(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number != UINT32_MAX;
  return whole ? std::optional(number) : std::nullopt;
}

// "root:x:0:0:root:/root:/bin/bash", without groups besides its own; none of a line that is broken.
std::optional<User> user_of(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, ':');
  if (parts.size() < 7 || parts[0].empty()) return std::nullopt;
  const std::optional<uint32_t> uid = number_of(parts[2]), gid = number_of(parts[3]);
  if (!uid || !gid) return std::nullopt;
  return User{.name = std::string(parts[0]),
              .uid = *uid,
              .gid = *gid,
              .home = std::string(parts[5]),
              .shell = std::string(parts[6]),
              .groups = {*gid}};
}

// "adm:x:4:bob,eve"
void add_groups(User &user, Lines &group) {
  for (std::string line; group.next(line);) {
    const std::vector<std::string_view> parts = split(line, ':');
    if (parts.size() < 4) continue;
    const std::vector<std::string_view> members = split_commas(parts[3]);
    const std::optional<uint32_t> gid = number_of(parts[2]);
    if (!gid || std::find(members.begin(), members.end(), user.name) == members.end()) continue;
    if (std::find(user.groups.begin(), user.groups.end(), *gid) == user.groups.end()) user.groups.push_back(*gid);
  }
}

}  // namespace

std::optional<User> find_user(std::string_view name_or_uid, Lines &&passwd, Lines &&group) {
  const std::optional<uint32_t> uid = number_of(name_or_uid);
  std::optional<User> found;
  for (std::string line; passwd.next(line);) {
    std::optional<User> user = user_of(line);
    if (!user) continue;
    const bool by_name = user->name == name_or_uid;
    if (by_name || (!found && uid == user->uid)) found = std::move(user);
    if (by_name) break;
  }
  if (found) add_groups(*found, group);
  return found;
}

std::vector<std::string> user_names() {
  std::vector<std::string> names;
  Lines passwd("/etc/passwd");
  for (std::string line; passwd.next(line);)
    if (const std::optional<User> user = user_of(line)) names.push_back(user->name);
  return names;
}

}  // namespace strata
