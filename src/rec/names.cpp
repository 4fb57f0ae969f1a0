#include "rec/names.h"

#include <type_traits>

namespace strata {
namespace {

constexpr WireField kDiskFields[] = {WIRE_NUMBER(disk_name, dev), WIRE_TEXT(disk_name, name)};
constexpr WireField kCgroupFields[] = {WIRE_NUMBER(cgroup_name, id), WIRE_TEXT(cgroup_name, path)};
constexpr WireField kIrqFields[] = {WIRE_NUMBER(irq_name, irq), WIRE_TEXT(irq_name, name)};

}  // namespace

const Wire kDiskWire = {"disk", sizeof(disk_name), kDiskFields};
const Wire kCgroupWire = {"cgroup", sizeof(cgroup_name), kCgroupFields};
const Wire kIrqNameWire = {"irq", sizeof(irq_name), kIrqFields};

}  // namespace strata
