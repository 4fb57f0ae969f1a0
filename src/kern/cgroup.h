// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Control groups (v2) by number.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace strata {

// The number that bpf_get_current_cgroup_id() gives is the inode of the group's directory (64-bit hosts, since 5.5).
class Cgroups {
 public:
  explicit Cgroups(std::string root = cgroup_root()) : root_(std::move(root)) {}
  void set(uint64_t id, std::string path) { paths_[id] = std::move(path); }  // of another machine, for a replay
  // `removed`: the path that a removed group had, or "" if that is not known.
  void ask_also(std::function<std::string(uint64_t)> removed) { removed_ = std::move(removed); }
  const std::string &path(uint64_t id);  // "/system.slice/cron.service", "/"; "cgroup 4711" if nobody knows; remembered

  const std::unordered_map<uint64_t, std::string> &all();  // those that are there now, and that were known

  static std::string cgroup_root();  // where cgroup v2 is mounted; "" if it is not

 private:
  void scan();
  bool remember_removed(uint64_t id);  // if its path is known

  std::string root_;
  std::function<std::string(uint64_t)> removed_;
  std::unordered_map<uint64_t, std::string> paths_;
};

// The directory of a group that is named by it, or as Cgroups::path() shows it; what is neither stays as it is.
std::string cgroup_directory(const std::string &name, const std::string &root = Cgroups::cgroup_root());
// The number of the group whose directory this is; 0 if it is none of cgroup v2.
uint64_t cgroup_id(const std::string &directory);
// The number of a process's group (v2), by its entry below /proc; 0 if there is no such process, or its group is gone.
uint64_t cgroup_of_process(uint32_t tgid, const std::string &root, const std::string &proc = "/proc");
// Is this controller ("io") enabled in it? Where it is not, what it would account is the business of a group above.
bool has_controller(const std::string &directory, std::string_view controller);

}  // namespace strata
