// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/type.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace strata::expr {
namespace {

constexpr std::pair<Type::Kind, std::string_view> kNames[] = {
    {Type::Kind::kBuffer, "buffer"},
    {Type::Kind::kKernelSymbol, "ksym_t"},
    {Type::Kind::kUserSymbol, "usym_t"},
    {Type::Kind::kInet, "inet_t"},
    {Type::Kind::kMac, "mac_address"},
    {Type::Kind::kKernelStack, "kstack"},
    {Type::Kind::kUserStack, "ustack"},
    {Type::Kind::kPlaceName, "string"},
    {Type::Kind::kTime, "timestamp"},
    {Type::Kind::kCgroupPath, "cgroup_path"},
    {Type::Kind::kCgroupUnit, "cgroup_unit"},
    {Type::Kind::kCgroupContainer, "cgroup_container"},
    {Type::Kind::kCgroupPod, "cgroup_pod"},
    {Type::Kind::kUserName, "username"},
    {Type::Kind::kErrno, "strerror"},
    {Type::Kind::kSystemCall, "syscall_name"},
    {Type::Kind::kCount, "count_t"},
    {Type::Kind::kSum, "sum_t"},
    {Type::Kind::kMin, "min_t"},
    {Type::Kind::kMax, "max_t"},
    {Type::Kind::kAverage, "avg_t"},
    {Type::Kind::kStats, "stats_t"},
    {Type::Kind::kHistogram, "hist_t"},
    {Type::Kind::kLinear, "lhist_t"},
    {Type::Kind::kSeries, "tseries_t"},
};

}  // namespace

bool Type::is_scalar() const {
  switch (kind) {
    case Kind::kString:
    case Kind::kBuffer:
    case Kind::kTuple:
    case Kind::kWhole:
    case Kind::kUserSymbol:
    case Kind::kInet:
      return false;
    default:
      return true;
  }
}

uint32_t Type::bytes() const {
  if (kind == Kind::kTuple) {
    uint32_t all = 0;
    for (const Type &part : parts) all += part.bytes();
    return all;
  }
  return is_scalar() ? 8 : (size + 7) / 8 * 8;
}

uint32_t words_of_argument(const Type &type) {
  constexpr uint32_t kMost = 16;
  if (!type.is(Type::Kind::kRecord)) return 1;
  return type.record->size > kMost ? 0 : std::max(1U, (type.record->size + 7) / 8);
}

uint32_t words_of_arguments(const std::vector<Field> &all) {
  return all.empty() ? 0 : all.back().offset + words_of_argument(all.back().type);
}

Type int_type(uint32_t size, bool is_signed) {
  return {.kind = Type::Kind::kInt, .size = size, .is_signed = is_signed};
}

Type bool_type() { return {.kind = Type::Kind::kInt, .size = 1, .is_bool = true}; }

Type pointer_to(Type to, Space space) {
  return {.kind = Type::Kind::kPointer, .space = space, .to = std::make_shared<const Type>(std::move(to))};
}

Type string_type(uint32_t size) { return {.kind = Type::Kind::kString, .size = size}; }

Type of_kind(Type::Kind kind, uint32_t size) { return {.kind = kind, .size = size}; }

Type tuple_of(std::vector<Type> parts) { return {.kind = Type::Kind::kTuple, .parts = std::move(parts)}; }

std::string name_of(const Type &type) {
  using enum Type::Kind;
  switch (type.kind) {
    case kInt:
      if (type.is_enum())
        return type.name[0] == '#' ? "an unnamed enum" : "enum " + type.name.substr(0, type.name.find('#'));
      if (type.is_char) return "char";
      return type.is_bool ? "bool" : (type.is_signed ? "int" : "uint") + std::to_string(type.size * 8);
    case kPointer:
      return (type.to->is(kNone) ? "void" : name_of(*type.to)) + " *";
    case kArray:
      return name_of(*type.to) + "[" + std::to_string(type.count) + "]";
    case kRecord:
      return type.record->name.empty() ? "an unnamed struct" : type.record->name;
    case kString:
      return "string[" + std::to_string(type.size) + "]";
    case kWhole:
      return name_of(*type.to);
    case kTuple: {
      if (type.record != nullptr && !type.record->name.empty()) return type.record->name;
      std::string text;
      for (size_t i = 0; i < type.parts.size(); i++)
        text += (i == 0 ? "" : ",") + (type.record == nullptr ? "" : type.record->fields[i].name + "=") +
                name_of(type.parts[i]);
      return "(" + text + ")";
    }
    default:
      for (const auto &[kind, name] : kNames)
        if (kind == type.kind) return std::string(name);
      return "none";
  }
}

Type::Kind aggregation(std::string_view function) {
  for (const auto &[kind, name] : kNames)
    if (of_kind(kind).is_aggregate() && name == std::string(function) + "_t") return kind;
  return Type::Kind::kNone;
}

void widen(Type &to, const Type &from) {
  if (!to.known()) {
    to = from;
    return;
  }
  for (size_t i = 0; i < to.parts.size() && i < from.parts.size(); i++) widen(to.parts[i], from.parts[i]);
  if (to.is_enum() && from.known() && to.name != from.name) to.name.clear();
  if (to.kind != from.kind) return;
  to.size = std::max(to.size, from.size);
  to.is_signed = to.is_signed || from.is_signed;
  to.is_bool = to.is_bool && from.is_bool;
}

bool same_names(const Type &a, const Type &b) {
  if (!a.is(Type::Kind::kTuple) || !b.is(Type::Kind::kTuple)) return true;
  if (a.record == nullptr || b.record == nullptr) return a.record == b.record;
  return std::ranges::equal(a.record->fields, b.record->fields, {}, &Field::name, &Field::name);
}

namespace {

// Of what lies in memory as it was traced: is it the same struct, or an array alike?
bool same_whole(const Type &a, const Type &b) {
  return !a.is(Type::Kind::kWhole) || !b.is(Type::Kind::kWhole) || name_of(a) == name_of(b);
}

}  // namespace

bool alike(const Type &a, const Type &b) {
  return a.kind == b.kind && same_names(a, b) && a.size == b.size && a.is_signed == b.is_signed &&
         a.is_bool == b.is_bool && a.form == b.form && same_whole(a, b) &&
         (a.name == b.name || !a.is(Type::Kind::kInt)) &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), alike);
}

bool fits(const Type &value, const Type &place) {
  using enum Type::Kind;
  const auto number = [](const Type &type) { return type.is(kInt) || type.is(kPointer); };
  if (number(value) && number(place)) return true;
  if (value.kind != place.kind || value.parts.size() != place.parts.size() || !same_names(value, place)) return false;
  if (!same_whole(value, place)) return false;
  return std::equal(value.parts.begin(), value.parts.end(), place.parts.begin(), fits);
}

}  // namespace strata::expr
