// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What runqlat and cpudist share: the options that tell histograms apart (enum sched_by), and what the columns show of
// a key. An entry is a struct { ... struct { __u64 cgroup, by; char comm[16]; __u32 tgid, tid, cpu; ... } key; }.
#pragma once

#include <cstdint>

#include "cli/option.h"
#include "cli/values.h"
#include "lib/sched/by_wire.h"
#include "model/columns.h"
#include "run/resolver.h"
#include "subsys/cgroup_columns.h"

namespace strata {

inline constexpr Option kByProcessOption = {.name = "by-process", .short_name = 'P', .help = "one for each process"};
inline constexpr Option kByThreadOption = {.name = "by-thread", .short_name = 'L', .help = "one for each thread"};
inline constexpr Option kByCgroupOption = {.name = "by-cgroup", .short_name = 'C', .help = "one for each cgroup (v2)"};

// The bits of the options above, --by-cpu, --by-owner, and --by-pidns if the tool has it.
inline uint32_t sched_by(const Values &values) {
  return bits_given(values, {"by-process", "by-thread", "by-cgroup", "by-cpu", "by-pidns"}) |
         bits_named(values, "by-owner", kOwnerWords) * SCHED_BY_UNIT;
}

template <typename Entry>
uint64_t cgroup_of_key(const Entry &e) {
  return is_by<Entry, SCHED_BY_CGROUP>(e) ? e.key.cgroup : 0;
}

template <typename Entry>
constexpr Field by_cpu_column(std::string_view help) {
  return {STORED(Entry, key.cpu), SHOWN_IF(is_by<Entry, SCHED_BY_CPU>), .key = "cpu", .title = "CPU", .help = help,
          .with = "by-cpu"};
}
template <typename Entry>
constexpr Field by_cgroup_column(std::string_view help) {
  return cgroup_column<Entry, cgroup_of_key<Entry>>({STORED(Entry, key.cgroup), .help = help, .with = "by-cgroup"});
}
template <typename Entry>
constexpr Field by_tgid_column(std::string_view help) {
  return pid_column({STORED(Entry, key.tgid), SHOWN_IF(is_by<Entry, SCHED_BY_PROCESS | SCHED_BY_THREAD>), .help = help,
                     .with = "by-process|by-thread"});
}
template <typename Entry>
constexpr Field by_tid_column(std::string_view help) {
  return tid_column(
      {STORED(Entry, key.tid), SHOWN_IF(is_by<Entry, SCHED_BY_THREAD>), .help = help, .with = "by-thread"});
}
template <typename Entry>
constexpr Field by_comm_column(std::string_view help) {
  return comm_column({STORED(Entry, key.comm), SHOWN_IF(is_by<Entry, SCHED_BY_PROCESS | SCHED_BY_THREAD>), .help = help,
                      .with = "by-process|by-thread"});
}

}  // namespace strata
