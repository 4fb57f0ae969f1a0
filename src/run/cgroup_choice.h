// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The control groups of a unit, a container or a pod (--unit, --container, --pod), which may be several, and of which
// new ones may appear: after a restart, or below those that are there.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "kern/cgroup.h"
#include "kern/container_names.h"

namespace strata {

class Values;

class CgroupChoice {
 public:
  explicit CgroupChoice(const Values &values, std::string root = Cgroups::cgroup_root());
  [[nodiscard]] bool given() const { return !unit_.empty() || !container_.empty() || !pod_.empty(); }
  // The numbers of those that match and were not found before.
  std::vector<uint64_t> find();
  [[nodiscard]] bool has(uint64_t id) const { return found_.contains(id); }
  // "no cgroup (v2) matches --container web (there are: db, mail)"
  [[nodiscard]] std::string nothing();

 private:
  [[nodiscard]] bool matches(const std::string &path);
  [[nodiscard]] std::string name_of(const std::string &path);
  [[nodiscard]] bool is_unit(const std::string &path) const;
  [[nodiscard]] bool is_container(const std::string &path);
  [[nodiscard]] bool is_pod(const std::string &path);

  std::string unit_, container_, pod_;
  std::string root_;
  ContainerNames names_;
  std::unordered_set<uint64_t> seen_, found_;
  int looks_ = 0;  // at which names may still appear
};

}  // namespace strata
