// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kernel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace btfcheck {

Kernel::Kernel(std::string name, const std::string &file) : name_(std::move(name)) {
  btf_.reset(btf__parse(file.c_str(), nullptr));
  if (!btf_) throw strata::Error("no type information in " + file + ": " + strerror(errno), strata::kUsageStatus);
  for (uint32_t id = 1; id < btf__type_cnt(btf_.get()); ++id) {
    const std::string_view type_name = Type{btf_.get(), id}.name();
    if (!type_name.empty()) by_name_.emplace(essential(type_name), id);
  }
}

std::vector<Type> Kernel::types(std::string_view essential_name, const btf_type *like) const {
  std::vector<Type> found;
  const auto [first, last] = by_name_.equal_range(essential_name);
  for (auto at = first; at != last; ++at) {
    const Type type = {btf_.get(), at->second};
    const bool enums = btf_is_any_enum(type.get()) && btf_is_any_enum(like);
    if (enums || btf_kind(type.get()) == btf_kind(like)) found.push_back(type);
  }
  return found;
}

bool Kernel::has(std::string_view name, uint32_t kind) const {
  const auto [first, last] = by_name_.equal_range(essential(name));
  return std::any_of(first, last, [&](const auto &entry) {
    const Type type = {btf_.get(), entry.second};
    return btf_kind(type.get()) == kind && type.name() == name;
  });
}

bool Kernel::has_tracepoint(const std::string &name) const { return has("btf_trace_" + name, BTF_KIND_TYPEDEF); }
bool Kernel::has_function(const std::string &name) const { return has(name, BTF_KIND_FUNC); }

}  // namespace btfcheck
