// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "btf/sound.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/text.h"

namespace strata {
namespace {

constexpr unsigned kMostDepth = 256;         // of what is within something else; C++'s tuples are deep
constexpr uint64_t kMostWithin = 1'000'000;  // numbers and pointers in one type
constexpr uint64_t kMostBytes = uint64_t{1} << 31;

bool is_plain_size(uint32_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

class Soundness {
 public:
  explicit Soundness(const BtfFile &types) : types_(types), known_(types.end()) {}

  bool all() {
    for (uint32_t id = 1; id < types_.end(); id++)
      if (!has_plain_names(types_.type(id)) || !look_at(id, 0)) return false;
    return true;
  }

 private:
  struct Extent {
    uint64_t bytes = 0, within = 0;
  };
  struct Known {
    bool begun = false;
    std::optional<Extent> extent;
  };

  [[nodiscard]] bool is_plain_name(uint32_t place) const {
    const std::string name = types_.name(place);
    return printable(name) == name;
  }

  [[nodiscard]] bool has_plain_names(const BtfFile::Type &type) const {
    if (!is_plain_name(type.head.name_off)) return false;
    const uint32_t kind = type.kind();
    if (kind == BTF_KIND_INT || kind == BTF_KIND_ARRAY) return true;
    for (size_t i = 0; i < type.rest.size(); i += type.words_each())
      if (!is_plain_name(type.rest[i])) return false;
    return true;
  }

  // nullptr: it is not sound.
  const Extent *look_at(uint32_t id, unsigned depth) {
    static constexpr Extent kVoid;
    if (id == 0) return &kVoid;
    if (id >= known_.size() || depth > kMostDepth) return nullptr;
    Known &known = known_[id];
    if (known.begun) return known.extent ? &*known.extent : nullptr;
    known.begun = true;
    known.extent = extent_of(types_.type(id), depth);
    return known.extent ? &*known.extent : nullptr;
  }

  std::optional<Extent> extent_of(const BtfFile::Type &type, unsigned depth) {
    const auto same_as = [&](uint32_t id) -> std::optional<Extent> {
      const Extent *of = look_at(id, depth + 1);
      return of == nullptr ? std::nullopt : std::optional(*of);
    };
    switch (type.kind()) {
      case BTF_KIND_INT:
      case BTF_KIND_ENUM:
      case BTF_KIND_ENUM64:
        if (!is_plain_size(type.head.size)) return std::nullopt;
        return Extent{.bytes = type.head.size, .within = 1};
      case BTF_KIND_PTR:
        return Extent{.bytes = 8, .within = 1};
      case BTF_KIND_TYPEDEF:
      case BTF_KIND_CONST:
      case BTF_KIND_VOLATILE:
      case BTF_KIND_RESTRICT:
        return same_as(type.head.type);
      case BTF_KIND_FWD: {
        const bool is_union = BTF_INFO_KFLAG(type.head.info) != 0;
        return same_as(types_.named(types_.name(type.head.name_off), is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT));
      }
      case BTF_KIND_ARRAY:
        return extent_of_array(type, depth);
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION:
        return extent_of_record(type, depth);
      case BTF_KIND_FUNC:
        if (types_.type(type.head.type).kind() != BTF_KIND_FUNC_PROTO) return std::nullopt;
        return Extent{};
      case BTF_KIND_FUNC_PROTO:
      case BTF_KIND_FLOAT:
        return Extent{};
      default:  // not of programs
        return std::nullopt;
    }
  }

  std::optional<Extent> extent_of_array(const BtfFile::Type &type, unsigned depth) {
    const Extent *each = look_at(type.rest[0], depth + 1);
    const uint64_t count = type.rest[2];
    if (each == nullptr || each->bytes * count > kMostBytes) return std::nullopt;
    const Extent all = {.bytes = each->bytes * count, .within = each->within * (each->bytes == 0 ? count : 1) + 1};
    return all.within > kMostWithin ? std::nullopt : std::optional(all);
  }

  std::optional<Extent> extent_of_record(const BtfFile::Type &type, unsigned depth) {
    Extent all = {.bytes = type.head.size, .within = 1};
    for (size_t i = 0; i + 3 <= type.rest.size(); i += 3) {
      const Extent *member = look_at(type.rest[i + 1], depth + 1);
      if (member == nullptr) return std::nullopt;
      const bool has_bits = BTF_INFO_KFLAG(type.head.info) != 0;
      const uint32_t bits = has_bits ? BTF_MEMBER_BITFIELD_SIZE(type.rest[i + 2]) : 0;
      if (bits > 64 || (bits != 0 && !is_plain_size(static_cast<uint32_t>(member->bytes)))) return std::nullopt;
      all.within += member->within;
      if (all.within > kMostWithin) return std::nullopt;
    }
    return all.bytes > kMostBytes ? std::nullopt : std::optional(all);
  }

  const BtfFile &types_;
  std::vector<Known> known_;
};

}  // namespace

bool is_sound(const BtfFile &types) { return Soundness(types).all(); }

}  // namespace strata
