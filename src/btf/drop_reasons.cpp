// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "btf/drop_reasons.h"

#include <iterator>
#include <map>

#include "base/text.h"
#include "btf/kernel_types.h"

namespace strata {
namespace {

constexpr std::string_view kPrefix = "SKB_DROP_REASON_", kSubsystemPrefix = "SKB_DROP_REASON_SUBSYS_";
constexpr uint32_t kSubsystemShift = 16;
constexpr const char *kReasons[] = {"skb_drop_reason", "qdisc_drop_reason", "ovs_drop_reason", "mac80211_drop_reason"};
constexpr const char *kSubsystems = "skb_drop_reason_subsys";

std::string without(std::string_view prefix, const std::string &name) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

// By number; the first of two names of a number, so the limits at the end of an enum are not taken for one of the next.
const std::map<uint32_t, std::string> &reasons() {
  static const std::map<uint32_t, std::string> all = [] {
    std::map<uint32_t, std::string> found;
    for (const char *name : kReasons) {
      for (const auto &[enumerator, value] : kernel_enum(name)) found.try_emplace(value, without(kPrefix, enumerator));
    }
    return found;
  }();
  return all;
}

std::string subsystem_name(uint32_t subsystem) {
  for (const auto &[name, value] : kernel_enum(kSubsystems)) {
    if (value == subsystem) return without(kSubsystemPrefix, name);
  }
  return "subsystem " + std::to_string(subsystem);
}

}  // namespace

std::set<std::string> drop_reason_types() {
  std::set<std::string> types(std::begin(kReasons), std::end(kReasons));
  types.insert(kSubsystems);
  return types;
}

bool has_drop_reasons() { return !kernel_enum("skb_drop_reason").empty(); }

std::string drop_reason_name(uint32_t reason) {
  const auto known = reasons().find(reason);
  if (known != reasons().end()) return known->second;
  const uint32_t subsystem = reason >> kSubsystemShift;
  if (subsystem == 0) return std::to_string(reason);
  return subsystem_name(subsystem) + ":" + std::to_string(reason & ((1U << kSubsystemShift) - 1));
}

std::optional<uint32_t> drop_reason_number(std::string_view name) {
  for (const auto &[number, known] : reasons()) {
    if (known == name) return number;
  }
  uint64_t number = 0;
  if (parse_number(name, number) && number > 0 && number < UINT32_MAX) return static_cast<uint32_t>(number);
  return std::nullopt;
}

}  // namespace strata
