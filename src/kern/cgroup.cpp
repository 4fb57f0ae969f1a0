// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/cgroup.h"

#include <sys/stat.h>

#include <filesystem>

#include "base/lines.h"
#include "kern/proc.h"

namespace strata {

std::string Cgroups::cgroup_root() {
  Lines mounts("/proc/mounts");
  return mount_point_of("cgroup2", mounts);
}

bool Cgroups::remember_removed(uint64_t id) {
  std::string path = removed_ ? removed_(id) : "";
  return !path.empty() && paths_.try_emplace(id, std::move(path)).second;
}

// It may go while we look for it.
const std::string &Cgroups::path(uint64_t id) {
  if (!paths_.contains(id) && !remember_removed(id)) {
    scan();
    if (!paths_.contains(id)) remember_removed(id);
  }
  const auto [entry, added] = paths_.try_emplace(id);
  if (added) entry->second = "cgroup " + std::to_string(id);
  return entry->second;
}

const std::unordered_map<uint64_t, std::string> &Cgroups::all() {
  scan();
  return paths_;
}

// A group that goes away while we look is not found: no error.
void Cgroups::scan() {
  namespace fs = std::filesystem;
  struct stat status {};
  std::error_code error;
  if (root_.empty()) return;
  if (stat(root_.c_str(), &status) == 0) paths_.try_emplace(status.st_ino, "/");
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(root_, kOptions, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_directory(error) || stat(it->path().c_str(), &status) != 0) continue;
    paths_.try_emplace(status.st_ino, it->path().string().substr(root_.size()));
  }
}

std::string cgroup_directory(const std::string &name, const std::string &root) {
  const std::string below = root + "/" + name;
  return name.empty() || root.empty() || cgroup_id(name) != 0 || cgroup_id(below) == 0 ? name : below;
}

uint64_t cgroup_id(const std::string &directory) {
  struct stat status {};
  if (stat((directory + "/cgroup.controllers").c_str(), &status) != 0) return 0;
  return stat(directory.c_str(), &status) == 0 ? status.st_ino : 0;
}

uint64_t cgroup_of_process(uint32_t tgid, const std::string &root, const std::string &proc) {
  constexpr std::string_view kUnified = "0::";  // the line of v2, beside those of v1
  Lines lines(proc + "/" + std::to_string(tgid) + "/cgroup");
  struct stat status {};
  std::string line;
  while (!root.empty() && lines.next(line))
    if (line.starts_with(kUnified))
      return stat((root + line.substr(kUnified.size())).c_str(), &status) == 0 ? status.st_ino : 0;
  return 0;
}

bool has_controller(const std::string &directory, std::string_view controller) {
  const std::string words = " " + first_line(directory + "/cgroup.controllers") + " ";
  return words.find(" " + std::string(controller) + " ") != std::string::npos;
}

}  // namespace strata
