// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/process_filter.h"

#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "base/lines.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/cgroup.h"
#include "run/session.h"
#include "sym/mapped.h"

namespace strata {
namespace {

bool has_one_of(const std::vector<uint64_t> &tids, const std::string &process) {
  return std::any_of(tids.begin(), tids.end(), [&](uint64_t tid) {
    return access((process + "/task/" + std::to_string(tid)).c_str(), F_OK) == 0;
  });
}

std::string resolved(const std::string &path) {
  const std::unique_ptr<char, void (*)(void *)> text(realpath(path.c_str(), nullptr), free);
  return text ? text.get() : path;
}

// The directory of its cgroup (v2); "" if it is gone.
std::string cgroup_of(const std::string &process) {
  constexpr std::string_view kV2 = "0::";
  Lines file(process + "/cgroup");
  for (std::string line; file.next(line);)
    if (line.starts_with(kV2)) return resolved(Cgroups::cgroup_root() + line.substr(kV2.size()));
  return "";
}

bool is_below(const std::string &directory, const std::string &path) {
  return path == directory || path.starts_with(directory + "/");
}

// Descendants by the kernel's number: the programs of the filter keep them. Before they are loaded there are none.
bool is_in_tree(const Object &object, uint32_t tgid) {
  uint8_t one = 0;
  return bpf_map_lookup_elem(object.map_fd("filter_tree"), &tgid, &one) == 0;
}

}  // namespace

std::function<bool(uint32_t tgid, const std::string &comm)> process_filter(const Session &session,
                                                                           const Object &object) {
  const Values &values = session.values();
  const std::string cgroup = values.given("cgroup") ? resolved(cgroup_directory(values.text("cgroup"))) : "";
  const auto command = static_cast<uint32_t>(session.traced_command());
  const bool by_group = any_given(values, {"unit", "container", "pod"});
  return [&session, &values, &object, cgroup, command, by_group, &tgids = session.processes()](
             uint32_t tgid, const std::string &comm) {
    const std::string process = "/proc/" + std::to_string(tgid);
    const std::vector<uint64_t> &tids = values.numbers("tid");
    if (!tgids.empty() && std::ranges::count(tgids, tgid) == 0 && !(values.given("tree") && is_in_tree(object, tgid)))
      return false;
    if (!tids.empty() && !has_one_of(tids, process)) return false;
    if (values.given("comm") && std::ranges::count(values.texts("comm"), comm) == 0) return false;
    if (command != 0 && tgid != command && !is_in_tree(object, tgid)) return false;
    if (by_group && !session.is_in_groups(cgroup_id(cgroup_of(process)))) return false;
    return cgroup.empty() || is_below(cgroup, cgroup_of(process));
  };
}

std::vector<uint32_t> processes_at_start(const Session &session) {
  if (session.traced_command() != 0) return {};
  std::vector<uint32_t> found = session.values().given("pid") ? session.processes() : all_processes();
  std::erase(found, static_cast<uint32_t>(getpid()));
  std::erase(found, static_cast<uint32_t>(session.command_pid()));
  return found;
}

}  // namespace strata
