// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A control group's path, and whose it is: its unit of systemd, its container, its pod.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cli/option.h"
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

// The same where it tells rows apart, as --by unit asks: then those of no unit are one, of an empty text.
template <typename Record, uint64_t kByCgroup, uint64_t kByOwner, std::string CgroupOwner::*kOf>
MaybeText owner_key(const Record &record, Resolver &names) {
  if (!is_by<Record, kByCgroup | kByOwner>(record)) return {};
  std::string text = record.key.cgroup != 0 ? names.owner(record.key.cgroup).*kOf : "";
  return text.empty() && !is_by<Record, kByOwner>(record) ? MaybeText() : MaybeText(std::move(text));
}

template <typename Record, uint64_t kByCgroup, uint64_t kByOwner, std::string CgroupOwner::*kOf>
constexpr Field owner_key_column(std::string_view with, const Field &usual) {
  return hidden(completed(
      {.decode = kDecode<owner_key<Record, kByCgroup, kByOwner, kOf>>, .with = with, .if_empty = "-"}, usual));
}

// An entry's key has the members `cgroup` and `by`, and `by` bits of these names: rows whose keys differ in the number
// of the cgroup alone, and not in what is shown of it, are one (run/histogram.cpp, run/table.cpp). `with`: the option
// for the cgroup, and the beginning of the one that has their names as values: "by=cgroup|by=".
#define OWNER_KEYS(type, by, with)                                                             \
  OWNER_KEY(type, by##CGROUP, by##UNIT, unit, ::strata::kUnitColumn, with),                    \
      OWNER_KEY(type, by##CGROUP, by##CONTAINER, container, ::strata::kContainerColumn, with), \
      OWNER_KEY(type, by##CGROUP, by##POD, pod, ::strata::kPodColumn, with)
#define OWNER_KEY(type, by_cgroup, by_owner, of, usual, with) \
  ::strata::owner_key_column<type, by_cgroup, by_owner, &::strata::CgroupOwner::of>(with #of, usual)

inline constexpr std::string_view kOwnerWords[] = {"unit", "container", "pod"};  // in the order of the bits
inline constexpr Option kByOwnerOption = {.name = "by-owner",
                                          .value = "KEY,...",
                                          .kind = OptionKind::kText,
                                          .help = "one for each unit (of systemd), container, pod",
                                          .candidates = [] { return candidates_of(kOwnerWords); }};

// The three of them, beside the cgroup.
#define OWNER_COLUMNS(type, cgroup, ...)                                              \
  OWNER_COLUMN(type, cgroup, unit, ::strata::kUnitColumn, __VA_ARGS__),               \
      OWNER_COLUMN(type, cgroup, container, ::strata::kContainerColumn, __VA_ARGS__), \
      OWNER_COLUMN(type, cgroup, pod, ::strata::kPodColumn, __VA_ARGS__)
#define OWNER_COLUMN(type, cgroup, of, usual, ...) \
  ::strata::owner_column<type, cgroup, &::strata::CgroupOwner::of>({__VA_ARGS__}, usual)

}  // namespace strata
