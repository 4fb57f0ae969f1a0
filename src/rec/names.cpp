#include "rec/names.h"

#include <type_traits>

namespace strata {
namespace {

constexpr WireField kDiskFields[] = {WIRE_NUMBER(disk_name, dev), WIRE_TEXT(disk_name, name)};
constexpr WireField kCgroupFields[] = {WIRE_NUMBER(cgroup_name, id), WIRE_TEXT(cgroup_name, path)};
constexpr WireField kIrqFields[] = {WIRE_NUMBER(irq_name, irq), WIRE_TEXT(irq_name, name)};
constexpr WireField kSymbolFields[] = {WIRE_NUMBER(symbol_name, address), WIRE_TEXT(symbol_name, name)};
constexpr WireField kReasonFields[] = {WIRE_NUMBER(reason_name, reason), WIRE_TEXT(reason_name, name)};
constexpr WireField kStackFields[] = {WIRE_NUMBER(stack_frames, stack), WIRE_TEXT(stack_frames, frames)};

}  // namespace

const Wire kDiskWire = {"disk", sizeof(disk_name), kDiskFields};
const Wire kCgroupWire = {"cgroup", sizeof(cgroup_name), kCgroupFields};
const Wire kIrqNameWire = {"irq", sizeof(irq_name), kIrqFields};
const Wire kSymbolWire = {"symbol", sizeof(symbol_name), kSymbolFields};
const Wire kDropReasonWire = {"reason", sizeof(reason_name), kReasonFields};
const Wire kStackWire = {"stack", sizeof(stack_frames), kStackFields};

}  // namespace strata
