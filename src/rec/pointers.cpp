// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/pointers.h"

namespace strata {
namespace {

constexpr uint64_t kOthers = UINT64_MAX;  // of the key for what found no room in a table (bpf/lib/core/table.h)

}  // namespace

const void *Pointers::numbered(const RecordType &type, const void *record, size_t size) {
  if (!type.has_pointers) return record;
  const auto *bytes = static_cast<const std::byte *>(record);
  copy_.assign(bytes, bytes + size);
  number_all(type, copy_.data(), size);
  return copy_.data();
}

void Pointers::number_all(const RecordType &type, std::byte *record, size_t size) {
  if (!type.has_pointers) return;
  for (const Field &field : type.fields) {
    if (!field.pointer || field.offset + sizeof(uint64_t) > size) continue;
    const uint64_t small = number(load_at<uint64_t>(record, field.offset));
    memcpy(record + field.offset, &small, sizeof(small));
  }
}

uint64_t Pointers::number(uint64_t address) {
  if (address == 0 || address == kOthers) return address;
  const auto [at, is_new] = numbers_.try_emplace(address, addresses_.size() + 1);
  if (is_new) addresses_.push_back(address);
  return at->second;
}

uint64_t Pointers::address(uint64_t number) const {
  return number - 1 < addresses_.size() ? addresses_[number - 1] : 0;
}

}  // namespace strata
