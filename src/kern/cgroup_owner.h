// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Whose a control group is: a unit of systemd, a container, a pod of Kubernetes, as far as its path says.
#pragma once

#include <string>
#include <string_view>

namespace strata {

struct CgroupOwner {
  std::string unit;  // "nginx.service"; of a user's manager the unit that it runs; "" of none, or a slice alone
  std::string
      container;    // an id of 64 hexadecimal digits, or a name (LXC, systemd-nspawn); of nested ones the inner one
  std::string pod;  // its UID, with dashes; of podman an id of 64 digits
};
CgroupOwner owner_of_cgroup(std::string_view path);  // as Cgroups::path() has it

bool is_container_id(std::string_view text);  // 64 hexadecimal digits in lower case
std::string short_id(const std::string &id);  // its first 12 digits; what is no id stays

}  // namespace strata
