// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/cgroup_choice.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "cli/values.h"
#include "kern/cgroup_owner.h"

namespace strata {
namespace {

// A runtime writes a name some time after it has made the group.
constexpr int kLooks = 10;

std::string text_of(const Values &values, std::string_view option) {
  return values.given(option) ? values.text(option) : "";
}

// Each group of the path and those above it, from the top.
std::vector<std::string_view> ancestors(std::string_view path) {
  std::vector<std::string_view> all;
  for (size_t slash = path.find('/', 1); slash != std::string_view::npos; slash = path.find('/', slash + 1))
    all.push_back(path.substr(0, slash));
  all.push_back(path);
  return all;
}

}  // namespace

CgroupChoice::CgroupChoice(const Values &values, std::string root)
    : unit_(text_of(values, "unit")),
      container_(text_of(values, "container")),
      pod_(text_of(values, "pod")),
      root_(std::move(root)) {}

std::vector<uint64_t> CgroupChoice::find() {
  std::vector<uint64_t> added;
  Cgroups groups(root_);
  const auto &all = groups.all();
  bool any_new = false;
  for (const auto &[id, path] : all) any_new |= seen_.insert(id).second;
  if (any_new) looks_ = kLooks;
  if (looks_ == 0) return added;
  looks_--;
  names_ = ContainerNames();
  for (const auto &[id, path] : all)
    if (matches(path) && found_.insert(id).second) added.push_back(id);
  return added;
}

bool CgroupChoice::matches(const std::string &path) {
  return (unit_.empty() || is_unit(path)) && (container_.empty() || is_container(path)) &&
         (pod_.empty() || is_pod(path));
}

// A unit below another one, as of a user's manager, is in both, and so is what is in a slice.
bool CgroupChoice::is_unit(const std::string &path) const {
  return std::ranges::any_of(ancestors(path), [this](std::string_view above) {
    std::string_view name = above.substr(above.rfind('/') + 1);
    if (name.starts_with('_')) name.remove_prefix(1);  // as owner_of_cgroup()
    return name == unit_ || name == unit_ + ".service";
  });
}

// Of nested containers both.
bool CgroupChoice::is_container(const std::string &path) {
  constexpr size_t kLeastOfId = 4;
  return std::ranges::any_of(ancestors(path), [&](std::string_view above) {
    const std::string id = owner_of_cgroup(above).container;
    if (id.empty()) return false;
    return id == container_ || (is_container_id(id) && container_.size() >= kLeastOfId && id.starts_with(container_)) ||
           names_.container(id) == container_;
  });
}

bool CgroupChoice::is_pod(const std::string &path) {
  return std::ranges::any_of(ancestors(path), [&](std::string_view above) {
    const std::string uid = owner_of_cgroup(above).pod;
    if (uid.empty()) return false;
    const std::string &name = names_.pod(uid);
    return uid == pod_ || name == pod_ || (!name.empty() && name.substr(name.find('/') + 1) == pod_);
  });
}

// Of the innermost thing that is asked for.
std::string CgroupChoice::name_of(const std::string &path) {
  const CgroupOwner owner = owner_of_cgroup(path);
  if (container_.empty() && pod_.empty()) return owner.unit;
  const std::string &name = container_.empty() ? names_.pod(owner.pod) : names_.container(owner.container);
  return !name.empty() ? name : container_.empty() ? owner.pod : short_id(owner.container);
}

std::string CgroupChoice::nothing() {
  constexpr size_t kShown = 20;
  std::set<std::string> there;
  Cgroups groups(root_);
  for (const auto &[id, path] : groups.all()) there.insert(name_of(path));
  there.erase("");
  std::string text = "no cgroup (v2) matches";
  for (const auto &[option, name] : {std::pair{" --unit ", &unit_}, {" --container ", &container_}, {" --pod ", &pod_}})
    if (!name->empty()) text += option + printable(*name);
  text += there.empty() ? " (there is none of that kind" : " (there are: ";
  size_t shown = 0;
  for (const std::string &one : there)
    if (shown++ < kShown) text += (shown > 1 ? ", " : "") + printable(one);
  if (there.size() > kShown) text += ", and " + std::to_string(there.size() - kShown) + " more";
  return text + ")";
}

}  // namespace strata
