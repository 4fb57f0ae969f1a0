// Whose a control group is, beside the column that has its path: its unit of systemd, its container, its pod.
#pragma once

#include <cstdint>
#include <string>

#include "model/columns.h"
#include "run/resolver.h"

namespace strata {

// kCgroup: the number of a record's group; 0: the record has none.
template <typename Record, uint64_t (*kCgroup)(const Record &), std::string CgroupOwner::*kOf>
MaybeText owner_text(const Record &record, Resolver &names) {
  const uint64_t cgroup = kCgroup(record);
  if (cgroup == 0) return {};
  const std::string &text = names.owner(cgroup).*kOf;
  return text.empty() ? MaybeText() : MaybeText(text);
}

template <typename Record, uint64_t (*kCgroup)(const Record &)>
constexpr Field unit_column(Field column = {}) {
  column.decode = kDecode<owner_text<Record, kCgroup, &CgroupOwner::unit>>;
  return completed(column,
                   {.key = "unit", .title = "UNIT", .width = -20, .help = "the unit of systemd", .hidden = true});
}
template <typename Record, uint64_t (*kCgroup)(const Record &)>
constexpr Field container_column(Field column = {}) {
  column.decode = kDecode<owner_text<Record, kCgroup, &CgroupOwner::container>>;
  return completed(column, {.key = "container",
                            .title = "CONTAINER",
                            .width = -16,
                            .help = "the container: its name, or the beginning of its id",
                            .hidden = true});
}
template <typename Record, uint64_t (*kCgroup)(const Record &)>
constexpr Field pod_column(Field column = {}) {
  column.decode = kDecode<owner_text<Record, kCgroup, &CgroupOwner::pod>>;
  return completed(column, {.key = "pod",
                            .title = "POD",
                            .width = -20,
                            .help = "the pod of Kubernetes: NAMESPACE/NAME, or its UID",
                            .hidden = true});
}

// The three of them.
#define OWNER_COLUMNS(type, cgroup, ...)                                                                       \
  ::strata::unit_column<type, cgroup>({__VA_ARGS__}), ::strata::container_column<type, cgroup>({__VA_ARGS__}), \
      ::strata::pod_column<type, cgroup>({__VA_ARGS__})

}  // namespace strata
