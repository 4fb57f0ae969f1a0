// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/filter.h"

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "base/lines.h"
#include "base/text.h"
#include "bpf/object.h"
#include "kern/proc.h"

namespace strata {

namespace {

// The process that a thread belongs to; 0 if /proc does not tell.
uint32_t tgid_of(uint32_t tid) {
  Lines file("/proc/" + std::to_string(tid) + "/status");
  return thread_group(file);
}

bool exists(uint32_t id) {
  return id != 0 && id <= INT32_MAX && (kill(static_cast<pid_t>(id), 0) == 0 || errno == EPERM);
}

void check_process(uint32_t tgid, const std::string &hint) {
  const std::string text = std::to_string(tgid);
  if (!exists(tgid)) throw Error("no such process: " + text + hint);
  uint32_t owner = tgid_of(tgid);
  if (owner != 0 && owner != tgid) {
    throw Error("no such process: " + text + " (it is a thread of process " + std::to_string(owner) + "; try: -t " +
                text + ")");
  }
}

void check_thread(uint32_t tid) {
  if (!exists(tid)) throw Error("no such thread: " + std::to_string(tid));
}

Fd open_cgroup(const std::string &path) {
  Fd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) throw system_error("cannot open the cgroup " + printable(path));
  struct statfs status = {};
  if (fstatfs(folder.get(), &status) == 0 && status.f_type == CGROUP2_SUPER_MAGIC) return folder;
  Lines mounts("/proc/self/mounts");
  const std::string mount = mount_point_of("cgroup2", mounts);
  throw Error("not a directory of cgroup v2: " + printable(path) +
              (mount.empty() ? " (it is not mounted; run: mount -t cgroup2 none /sys/fs/cgroup)"
                             : " (those are under " + printable(mount) + ")"));
}

void set_pid_namespace(Object &object) {
  const PidNamespace own = own_pid_namespace();
  if (own.ino == 0) return;
  object.set_constant("filter_pidns_dev", own.dev);
  object.set_constant("filter_pidns_ino", own.ino);
}

struct SetNames {
  const char *one, *many, *map;
};
constexpr SetNames kTgids = {"filter_tgid", "filter_many_tgids", "filter_tgids"};
constexpr SetNames kTids = {"filter_tid", "filter_many_tids", "filter_tids"};

// One is compared with a constant, several are looked up.
void prepare_set(Object &object, const SetNames &names, const std::vector<uint32_t> &ids) {
  if (ids.size() == 1) object.set_constant(names.one, ids[0]);
  object.set_constant(names.many, ids.size() > 1);
  if (ids.size() > 1) object.set_max_entries(names.map, static_cast<uint32_t>(ids.size()));
}

void add_to_set(const Object &object, const std::string &map, const void *key) {
  constexpr uint8_t kOne = 1;
  const int err = bpf_map_update_elem(object.map_fd(map), key, &kOne, BPF_ANY);
  if (err) throw system_error("cannot fill the BPF map " + map, -err);
}

void fill_set(const Object &object, const SetNames &names, const std::vector<uint32_t> &ids) {
  for (const uint32_t &id : ids)
    if (ids.size() > 1) add_to_set(object, names.map, &id);
}

using Comm = std::array<uint64_t, 2>;

Comm padded_comm(const std::string &name) {
  Comm padded = {};
  memcpy(padded.data(), name.data(), name.size());
  return padded;
}

void check_comm(const std::string &comm) {
  if (!comm.empty() && comm.size() <= Filter::kCommBytes) return;
  throw usage_error("--comm takes a name of 1 to 15 bytes (the kernel keeps no more), not '" + printable(comm) + "'");
}

// Not one that is dead and not yet waited for, as exists() has it.
bool runs(uint32_t tgid) {
  const Fd process(static_cast<int>(syscall(SYS_pidfd_open, tgid, 0)));
  pollfd ended = {.fd = process.get(), .events = POLLIN, .revents = 0};
  return process && poll(&ended, 1, 0) == 0;
}

template <typename Id>
void deduplicate(std::vector<Id> &ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

PidNamespace own_pid_namespace() {
  constexpr ino_t kInitialNamespace = 0xEFFFFFFC;  // PROC_PID_INIT_INO, include/linux/proc_ns.h
  struct stat status = {};
  if (stat("/proc/self/ns/pid", &status) != 0 || status.st_ino == kInitialNamespace) return {};
  return {.dev = uint64_t{major(status.st_dev)} << 20 | minor(status.st_dev), .ino = status.st_ino};
}

Filter::Filter(FilterRequest request) : request_(std::move(request)) {
  deduplicate(request_.tgids);
  deduplicate(request_.tids);
  deduplicate(request_.comms);
  for (uint32_t tgid : request_.tgids) check_process(tgid, request_.hint);
  for (uint32_t tid : request_.tids) check_thread(tid);
  for (const std::string &comm : request_.comms) check_comm(comm);
  if (!request_.cgroup.empty()) cgroup_ = open_cgroup(request_.cgroup);
}

void Filter::prepare(Object &object) const {
  object.set_constant("filter_self", static_cast<uint32_t>(getpid()));
  set_pid_namespace(object);
  if (request_.tree)
    object.set_max_entries(kTgids.map, kTreeEntries);
  else
    prepare_set(object, kTgids, request_.tgids);
  prepare_set(object, kTids, request_.tids);
  const std::vector<std::string> &comms = request_.comms;
  object.set_constant("filter_by_comm", !comms.empty());
  object.set_constant("filter_many_comms", comms.size() > 1);
  if (comms.size() == 1) object.set_constant("filter_comm", padded_comm(comms[0]));
  if (comms.size() > 1) object.set_max_entries("filter_comms", static_cast<uint32_t>(comms.size()));
  object.set_constant("filter_by_cgroup", static_cast<bool>(cgroup_));
  object.set_constant("filter_by_groups", request_.by_groups);
  if (request_.by_groups) object.set_max_entries("filter_groups", kGroupEntries);
  struct stat folder = {};  // the number of a group's directory is the group's own
  if (cgroup_ && fstat(cgroup_.get(), &folder) == 0) object.set_constant("filter_cgroup_id", uint64_t{folder.st_ino});
  constexpr uint32_t kRoots = ~0U;  // FILTER_ROOTS
  object.set_constant("filter_root", request_.tree ? kRoots : static_cast<uint32_t>(request_.command));
  object.set_constant("task_filtered", request_.any());
  const bool tree = request_.tree || request_.command != 0;
  if (tree) object.set_max_entries("filter_tree", kTreeEntries);
  object.enable("filter_fork", tree);
  const bool until_free =
      bpf_object__find_program_by_name(object.get(), "filter_free__raw");  // bpf/lib/core/filter_free.h
  object.enable("filter_exit", tree && !until_free);
  object.enable("filter_free", tree);
}

void Filter::fill(Object &object) const {
  if (!request_.tree) fill_set(object, kTgids, request_.tgids);
  if (request_.tree) add_to_tree(object, request_.tgids);
  add_to_tree(object, request_.descendants);
  fill_set(object, kTids, request_.tids);
  for (const std::string &comm : request_.comms)
    if (request_.comms.size() > 1) add_to_set(object, "filter_comms", padded_comm(comm).data());
  add_groups(object, request_.groups);
  if (!cgroup_) return;
  const uint32_t index = 0;
  const int fd = cgroup_.get();
  int err = bpf_map_update_elem(object.map_fd("filter_cgroup"), &index, &fd, BPF_ANY);
  if (err) throw system_error("cannot filter by the cgroup " + printable(request_.cgroup), -err);
}

bool Filter::add_to_tree(const Object &object, std::span<const uint32_t> tgids) {
  uint8_t one = 0;
  bool added = false;
  for (const uint32_t &tgid : tgids) {
    if (bpf_map_lookup_elem(object.map_fd(kTgids.map), &tgid, &one) == 0) continue;
    add_to_set(object, kTgids.map, &tgid);
    added = true;
  }
  return added;
}

void Filter::add_groups(const Object &object, std::span<const uint64_t> groups) {
  for (const uint64_t &group : groups) add_to_set(object, "filter_groups", &group);
}

bool Filter::tree_runs(const Object &object) {
  uint32_t key = 0;
  if (bpf_map_get_next_key(object.map_fd("filter_tree"), nullptr, &key) == 0) return true;
  const int roots = object.map_fd(kTgids.map);
  for (bool first = true; bpf_map_get_next_key(roots, first ? nullptr : &key, &key) == 0; first = false)
    if (runs(key)) return true;
  return false;
}

}  // namespace strata
