// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/plan.h"

#include <algorithm>
#include <cstring>

namespace strata::expr {
namespace {

const Record *record_within(const Type &type) {
  return type.is(Type::Kind::kArray) ? record_within(*type.to) : type.record.get();
}

// Is what one shows of its bytes what the other shows of them?
bool show_alike(const Type &a, const Type &b) {
  if (name_of(a) != name_of(b) || a.bytes() != b.bytes() || a.kind != b.kind || a.count != b.count ||
      a.name != b.name || a.clock != b.clock || a.form != b.form)
    return false;
  if (a.is(Type::Kind::kWhole)) return record_within(*a.to) == record_within(*b.to);
  if ((a.record == nullptr) != (b.record == nullptr)) return false;
  return same_names(a, b) && std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), show_alike);
}

}  // namespace

uint32_t MapPlan::key_bytes() const {
  uint32_t bytes = 0;
  for (const Type &part : key) bytes += part.bytes();
  return bytes + (has_buckets() && !key.empty() ? 8 : 0);
}

uint32_t MapPlan::elements() const {
  constexpr uint32_t kBucketsOfKey = 8;  // that have something, of most keys
  if (key.empty()) return std::max<uint32_t>(buckets, 1);
  return has_buckets() ? std::max(keys * kBucketsOfKey, buckets) : keys;
}

uint32_t MapPlan::value_bytes() const {
  using enum Type::Kind;
  switch (value.kind) {
    case kMin:
    case kMax:
    case kAverage:
    case kStats:
      return 16;  // the number, or the sum; how many
    case kSeries:
      return kSeriesBytes;
    default:
      return value.is_aggregate() ? 8 : value.bytes() + (is_single() ? 8 : 0);
  }
}

uint32_t Action::bytes() const {
  uint32_t bytes = 8;
  for (const Type &value : values) bytes += value.bytes();
  return bytes;
}

bool Action::operator==(const Action &other) const {
  return kind == other.kind && format == other.format && map == other.map && behind_print == other.behind_print &&
         most == other.most && divisor == other.divisor && keys == other.keys &&
         std::equal(values.begin(), values.end(), other.values.begin(), other.values.end(), show_alike);
}

const std::string *enumerator(const Enums &enums, const Type &type, uint64_t number) {
  const auto names = type.is_enum() ? enums.find(type.name) : enums.end();
  if (names == enums.end()) return nullptr;
  const auto found = names->second.find(number);
  return found == names->second.end() ? nullptr : &found->second;
}

bool Half::operator==(const Half &other) const {
  const auto alike = [](const bpf_insn &a, const bpf_insn &b) { return memcmp(&a, &b, sizeof(a)) == 0; };
  return references == other.references && filter_call == other.filter_call &&
         std::equal(instructions.begin(), instructions.end(), other.instructions.begin(), other.instructions.end(),
                    alike);
}

}  // namespace strata::expr
