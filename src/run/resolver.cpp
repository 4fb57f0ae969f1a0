// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/resolver.h"

#include "base/text.h"
#include "rec/names.h"
#include "render/sink.h"
#include "run/task_groups.h"

namespace strata {
namespace {
constexpr const RecordType *kRecords[] = {&kDiskRecord,   &kCgroupRecord,     &kIrqNameRecord,
                                          &kSymbolRecord, &kDropReasonRecord, &kStackRecord};
}

Resolver::Resolver(Outputs &out, const Object *object) : out_(&out), symbolizer_(pointers_, &out, object) {
  if (object != nullptr) cgroups_.ask_also(removed_groups(*object));
}

std::span<const RecordType *const> Resolver::types() { return kRecords; }

const std::string &Resolver::disk(uint32_t dev) {
  const std::string &name = disks_.name(dev);
  if (out_ != nullptr && told_disks_.insert(dev).second) {
    disk_name record = {.dev = dev, .name = {}};
    name.copy(record.name, sizeof(record.name));
    out_->record(kDiskRecord, &record);
  }
  return name;
}

const std::string &Resolver::cgroup(uint64_t id) {
  const std::string &path = cgroups_.path(id);
  if (out_ != nullptr && told_cgroups_.insert(id).second) {
    const CgroupOwner &names = owner(id);
    cgroup_name record = {.id = id, .path = {}, .container = {}, .pod = {}};
    path.copy(record.path, sizeof(record.path));
    names.container.copy(record.container, sizeof(record.container));
    names.pod.copy(record.pod, sizeof(record.pod));
    out_->record(kCgroupRecord, &record);
  }
  return path;
}

const CgroupOwner &Resolver::owner(uint64_t cgroup) {
  const auto [found, added] = owners_.try_emplace(cgroup);
  CgroupOwner &owner = found->second;
  if (!added) return owner;
  owner = owner_of_cgroup(cgroups_.path(cgroup));
  const std::string &container = containers_.container(owner.container), &pod = containers_.pod(owner.pod);
  owner.container = container.empty() ? short_id(owner.container) : container;
  if (!pod.empty()) owner.pod = pod;
  this->cgroup(cgroup);  // tells the recording
  return owner;
}

const std::string &Resolver::irq(uint32_t number) {
  const std::string &name = irqs_.name(number);
  if (out_ != nullptr && told_irqs_.insert(number).second) {
    irq_name record = {.irq = number, .name = {}};
    name.copy(record.name, sizeof(record.name));
    out_->record(kIrqNameRecord, &record);
  }
  return name;
}

bool Resolver::learn(const Record &record) {
  if (record.type == &kDiskRecord) {
    const auto &disk = *reinterpret_cast<const disk_name *>(record.bytes.data());
    disks_.set(static_cast<uint32_t>(disk.dev), cstr(disk.name));
  } else if (record.type == &kCgroupRecord) {
    const auto &cgroup = *reinterpret_cast<const cgroup_name *>(record.bytes.data());
    cgroups_.set(cgroup.id, cstr(cgroup.path));
    CgroupOwner owner = owner_of_cgroup(cstr(cgroup.path));
    if (cgroup.container[0] != '\0') owner.container = cstr(cgroup.container);
    if (cgroup.pod[0] != '\0') owner.pod = cstr(cgroup.pod);
    owner.container = short_id(owner.container);
    owners_[cgroup.id] = std::move(owner);
  } else if (record.type == &kIrqNameRecord) {
    const auto &irq = *reinterpret_cast<const irq_name *>(record.bytes.data());
    irqs_.set(static_cast<uint32_t>(irq.irq), cstr(irq.name));
  } else {
    return symbolizer_.learn(record);
  }
  return true;
}

}  // namespace strata
