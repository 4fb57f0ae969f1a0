// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/names.h"

#include <type_traits>

namespace strata {
namespace {

constexpr Field kDiskFields[] = {{STORED(disk_name, dev)}, {STORED(disk_name, name)}};
constexpr Field kCgroupFields[] = {{STORED(cgroup_name, id)},
                                   {STORED(cgroup_name, path)},
                                   {STORED(cgroup_name, container)},
                                   {STORED(cgroup_name, pod)}};
constexpr Field kGroupFields[] = {{STORED(task_group, cgroup)}};
constexpr Field kIrqFields[] = {{STORED(irq_name, irq)}, {STORED(irq_name, name)}};
constexpr Field kSymbolFields[] = {{STORED(symbol_name, address), .pointer = true}, {STORED(symbol_name, name)}};
constexpr Field kReasonFields[] = {{STORED(reason_name, reason)}, {STORED(reason_name, name)}};
constexpr Field kStackFields[] = {{STORED(stack_frames, stack), .pointer = true}, {STORED(stack_frames, frames)}};

}  // namespace

const RecordType kDiskRecord = about(About::kAllThatFollows, record_type<disk_name>("disk", kDiskFields));
const RecordType kCgroupRecord = about(About::kAllThatFollows, record_type<cgroup_name>("cgroup", kCgroupFields));
const RecordType kTaskGroupRecord = about(About::kNext, record_type<task_group>("task_group", kGroupFields));
const RecordType kIrqNameRecord = about(About::kAllThatFollows, record_type<irq_name>("irq", kIrqFields));
const RecordType kSymbolRecord = about(About::kAllThatFollows, record_type<symbol_name>("symbol", kSymbolFields));
const RecordType kDropReasonRecord = about(About::kAllThatFollows, record_type<reason_name>("reason", kReasonFields));
const RecordType kStackRecord = about(About::kAllThatFollows, record_type<stack_frames>("stack", kStackFields));

}  // namespace strata
