// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/task_groups.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/text.h"
#include "bpf/object.h"
#include "kern/cgroup.h"
#include "kern/cgroup_owner.h"
#include "lib/core/ended_groups_wire.h"
#include "model/column_choice.h"
#include "model/columns.h"
#include "rec/names.h"
#include "run/resolver.h"
#include "run/session.h"

namespace strata {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;

template <std::string CgroupOwner::*kOf>
void write_owner(const Field &, const RecordView &record, RowWriter &out) {
  const std::string *text = record.cgroup != 0 ? &(record.resolver.owner(record.cgroup).*kOf) : nullptr;
  text == nullptr || text->empty() ? out.none() : out.text(*text);
}

template <std::string CgroupOwner::*kOf>
constexpr Field owner(Field column) {
  column.decode = {.write = write_owner<kOf>, .type = Type::kText};
  return hidden(column);
}

constexpr Field kOwners[] = {owner<&CgroupOwner::unit>(kUnitColumn), owner<&CgroupOwner::container>(kContainerColumn),
                             owner<&CgroupOwner::pod>(kPodColumn)};

const bpf_map *map_of(const Object &object, const char *name) {
  return bpf_object__find_map_by_name(object.get(), name);
}

}  // namespace

const std::span<const Field> kTaskOwners = kOwners;

std::vector<Field> owners_beside(Schema columns) {
  const size_t process = index_of(columns, "tgid");
  std::vector<Field> owners;
  for (Field owner : kTaskOwners) {
    if (process == columns.size() || index_of(columns, owner.key) != columns.size()) continue;
    owner.with = columns[process].with;
    owners.push_back(owner);
  }
  return owners;
}

std::vector<Field> with_owners(std::vector<Field> columns) {
  const std::vector<Field> owners = owners_beside(columns);
  columns.insert(columns.end(), owners.begin(), owners.end());
  return columns;
}

// In a namespace of cgroups the kernel's paths have what is above the namespace's root as well, which no other path
// has.
std::function<std::string(uint64_t)> removed_groups(const Object &object) {
  constexpr ino_t kRootOfAll = 1;
  const bpf_map *const map = map_of(object, "removed_groups");
  struct stat root {};
  if (map == nullptr || stat(Cgroups::cgroup_root().c_str(), &root) != 0 || root.st_ino != kRootOfAll) return {};
  return [map](uint64_t cgroup) -> std::string {
    group_path path = {};
    return bpf_map_lookup_elem(bpf_map__fd(map), &cgroup, &path) == 0 ? std::string(cstr(path.text)) : "";
  };
}

TaskGroups::TaskGroups(const Session &session, const Object &object)
    : process_(session.owned_process()),
      ended_(process_ != nullptr ? map_of(object, "ended_groups") : nullptr),
      root_(process_ != nullptr ? Cgroups::cgroup_root() : "") {}

uint64_t TaskGroups::of(const RecordView &record) {
  if (process_ == nullptr) return 0;
  const Row row = row_of({process_, 1}, record);
  const auto *tgid = std::get_if<uint64_t>(&row.front());
  return tgid != nullptr ? of(static_cast<uint32_t>(*tgid)) : 0;
}

uint64_t TaskGroups::of(uint32_t tgid) {
  if (process_ == nullptr || tgid == 0) return 0;
  const auto [found, added] = known_.try_emplace(tgid);
  if (added) found->second = find(tgid);
  return found->second;
}

uint64_t TaskGroups::now_of(const RecordView &record) {
  const uint64_t now_ns = process_ != nullptr ? monotonic_ns() : 0;
  if (now_ns - renewed_ns_ >= kSecondNs) {
    renewed_ns_ = now_ns;
    renew();
  }
  return of(record);
}

// A number that is another process's by now was free for long: the kernel gives all others first.
uint64_t TaskGroups::find(uint32_t tgid) const {
  uint64_t cgroup = cgroup_of_process(tgid, root_);
  const bool has_ended = cgroup == 0 && ended_ != nullptr;
  if (has_ended && bpf_map_lookup_elem(bpf_map__fd(ended_), &tgid, &cgroup) != 0) cgroup = 0;
  return cgroup;
}

void TaskGroups::tell(Session &session, uint64_t cgroup) const {
  const task_group group = {.cgroup = cgroup};
  if (cgroup != 0) session.out().record(kTaskGroupRecord, &group);
}

}  // namespace strata
