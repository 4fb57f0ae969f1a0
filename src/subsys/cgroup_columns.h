// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A control group's path, and whose it is: its unit of systemd, its container, its pod.
#pragma once

#include <cstdint>
#include <string>

#include "model/columns.h"
#include "run/resolver.h"

namespace strata {

// kCgroup: the number of a record's group; 0: the record has none.
template <typename Record, uint64_t (*kCgroup)(const Record &)>
MaybeText cgroup_path(const Record &record, Resolver &names) {
  const uint64_t cgroup = kCgroup(record);
  return cgroup != 0 ? MaybeText(names.cgroup(cgroup)) : MaybeText();
}

template <typename Record, uint64_t (*kCgroup)(const Record &)>
constexpr Field cgroup_column(Field column) {
  column.decode = kDecode<cgroup_path<Record, kCgroup>>;
  return completed(column, {.key = "cgroup", .title = "CGROUP"});
}

template <typename Record, uint64_t (*kCgroup)(const Record &), std::string CgroupOwner::*kOf>
MaybeText owner_text(const Record &record, Resolver &names) {
  const uint64_t cgroup = kCgroup(record);
  if (cgroup == 0) return {};
  const std::string &text = names.owner(cgroup).*kOf;
  return text.empty() ? MaybeText() : MaybeText(text);
}

template <typename Record, uint64_t (*kCgroup)(const Record &), std::string CgroupOwner::*kOf>
constexpr Field owner_column(Field column, const Field &usual) {
  column.decode = kDecode<owner_text<Record, kCgroup, kOf>>;
  return hidden(completed(column, usual));
}

// The three of them.
#define OWNER_COLUMNS(type, cgroup, ...)                                              \
  OWNER_COLUMN(type, cgroup, unit, ::strata::kUnitColumn, __VA_ARGS__),               \
      OWNER_COLUMN(type, cgroup, container, ::strata::kContainerColumn, __VA_ARGS__), \
      OWNER_COLUMN(type, cgroup, pod, ::strata::kPodColumn, __VA_ARGS__)
#define OWNER_COLUMN(type, cgroup, of, usual, ...) \
  ::strata::owner_column<type, cgroup, &::strata::CgroupOwner::of>({__VA_ARGS__}, usual)

}  // namespace strata
