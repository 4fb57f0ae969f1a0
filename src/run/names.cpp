#include "run/names.h"

#include "base/text.h"
#include "rec/names.h"
#include "render/sink.h"

namespace strata {
namespace {
constexpr const Wire *kWires[] = {&kDiskWire, &kCgroupWire, &kIrqNameWire, &kSymbolWire, &kDropReasonWire, &kStackWire};
}

std::span<const Wire *const> Names::wires() { return kWires; }

const std::string &Names::disk(uint32_t dev) {
  const std::string &name = disks_.name(dev);
  if (out_ != nullptr && told_disks_.insert(dev).second) {
    disk_name record = {.dev = dev, .name = {}};
    name.copy(record.name, sizeof(record.name));
    out_->record(kDiskWire, &record);
  }
  return name;
}

const std::string &Names::cgroup(uint64_t id) {
  const std::string &path = cgroups_.path(id);
  if (out_ != nullptr && told_cgroups_.insert(id).second) {
    cgroup_name record = {.id = id, .path = {}};
    path.copy(record.path, sizeof(record.path));
    out_->record(kCgroupWire, &record);
  }
  return path;
}

const std::string &Names::irq(uint32_t number) {
  const std::string &name = irqs_.name(number);
  if (out_ != nullptr && told_irqs_.insert(number).second) {
    irq_name record = {.irq = number, .name = {}};
    name.copy(record.name, sizeof(record.name));
    out_->record(kIrqNameWire, &record);
  }
  return name;
}

bool Names::take(const WireRecord &record) {
  if (record.wire == &kDiskWire) {
    const auto &disk = *reinterpret_cast<const disk_name *>(record.bytes.data());
    disks_.set(static_cast<uint32_t>(disk.dev), cstr(disk.name));
  } else if (record.wire == &kCgroupWire) {
    const auto &cgroup = *reinterpret_cast<const cgroup_name *>(record.bytes.data());
    cgroups_.set(cgroup.id, cstr(cgroup.path));
  } else if (record.wire == &kIrqNameWire) {
    const auto &irq = *reinterpret_cast<const irq_name *>(record.bytes.data());
    irqs_.set(static_cast<uint32_t>(irq.irq), cstr(irq.name));
  } else {
    return places_.take(record);
  }
  return true;
}

}  // namespace strata
