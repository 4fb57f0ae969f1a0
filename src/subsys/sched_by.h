// What runqlat and cpudist share: the options that tell histograms apart (enum sched_by), and what the columns show of
// a key. An entry is a struct { ... struct { __u64 cgroup, by; char comm[16]; __u32 tgid, tid, cpu; ... } key; }.
#pragma once

#include <cstdint>

#include "base/text.h"
#include "cli/option.h"
#include "cli/values.h"
#include "lib/sched/by_wire.h"
#include "model/record.h"
#include "run/resolver.h"

namespace strata {

inline constexpr Option kByProcessOption = {.name = "by-process", .short_name = 'P', .help = "one for each process"};
inline constexpr Option kByThreadOption = {.name = "by-thread", .short_name = 'L', .help = "one for each thread"};
inline constexpr Option kByCgroupOption = {.name = "by-cgroup", .short_name = 'C', .help = "one for each cgroup (v2)"};

// Of the options above, --by-cpu, and --by-pidns if the tool has it.
inline uint32_t sched_by(const Values &values) {
  return (values.given("by-process") ? SCHED_BY_PROCESS : 0) | (values.given("by-thread") ? SCHED_BY_THREAD : 0) |
         (values.given("by-cgroup") ? SCHED_BY_CGROUP : 0) | (values.given("by-cpu") ? SCHED_BY_CPU : 0) |
         (values.given("by-pidns") ? SCHED_BY_PIDNS : 0);
}

template <typename Entry>
auto key_cpu(const Entry &e) {
  return if_known(e.key.by & SCHED_BY_CPU, e.key.cpu);
}
template <typename Entry>
Value key_cgroup(const Entry &e, Resolver &names) {
  return e.key.by & SCHED_BY_CGROUP ? Value(names.cgroup(e.key.cgroup)) : Value();
}
template <typename Entry>
auto key_tgid(const Entry &e) {
  return if_known(e.key.by & (SCHED_BY_PROCESS | SCHED_BY_THREAD), e.key.tgid);
}
template <typename Entry>
auto key_tid(const Entry &e) {
  return if_known(e.key.by & SCHED_BY_THREAD, e.key.tid);
}
template <typename Entry>
auto key_comm(const Entry &e) {
  return if_known(e.key.by & (SCHED_BY_PROCESS | SCHED_BY_THREAD), chars(e.key.comm));
}

}  // namespace strata
