// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What tools on block I/O have in common: the filters of bpf/lib/block/filter.h, and whether tasks are to be known.
#pragma once

#include "cli/option.h"
#include "kern/names_in.h"

namespace strata {

class Object;
class Session;
class Values;

inline constexpr Option kDiskOption = {.name = "disk",
                                       .value = "DISK",
                                       .kind = OptionKind::kText,
                                       .help = "only this disk or partition: sda, nvme0n1p2",
                                       .candidates = [] { return names_in("/sys/class/block"); }};

enum class DiskKind { kAny, kWithRequests };                            // that a tool can look at
void choose_disk(const Values &values, Object &object, DiskKind kind);  // throws Error: no such disk, or not of these
// --cgroup: true if its I/O can be told by the group that is charged; else (or without --cgroup) by its tasks alone.
bool choose_cgroup(const Values &values, Object &object);
// Is there a filter of tasks? `charged` is what choose_cgroup() said.
bool filters_tasks(const Session &session, bool charged);

}  // namespace strata
