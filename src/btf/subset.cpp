// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "btf/subset.h"

#include <bpf/btf.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strata {
namespace {

class Subset {
 public:
  explicit Subset(const RelocatedTypes &wanted) : wanted_(wanted) {}

  // False: it defines no such type. What a module has of its base is there once more.
  bool add_all(const BtfFile &from, const std::string &name) {
    if (from_ != &from) {
      added_.clear();
      offsets_.clear();
    }
    from_ = &from;
    bool any = false;
    for (const uint32_t id : from.named(name)) {
      if (from.type(id).kind() == BTF_KIND_FUNC) continue;
      any = true;
      if (name.starts_with(kTracepointPrefix))
        add_tracepoint(id);
      else
        add(id);
    }
    return any;
  }

  [[nodiscard]] std::string file() const {
    const btf_header header = {.magic = BTF_MAGIC,
                               .version = BTF_VERSION,
                               .flags = 0,
                               .hdr_len = sizeof(btf_header),
                               .type_off = 0,
                               .type_len = static_cast<uint32_t>(types_.size()),
                               .str_off = static_cast<uint32_t>(types_.size()),
                               .str_len = static_cast<uint32_t>(strings_.size())};
    return std::string(reinterpret_cast<const char *>(&header), sizeof(header)) + types_ + strings_;
  }

 private:
  // A type comes after those that it contains. None contains itself but through a pointer; if one did, it would be
  // void.
  uint32_t add(uint32_t id) {
    const auto [entry, added] = added_.try_emplace(id, 0);
    if (!added) return entry->second;
    BtfFile::Type type = from_->type(id);
    if (type.kind() == BTF_KIND_UNKN || type.kind() == BTF_KIND_FUNC_PROTO) return 0;
    type.head.name_off = string(type.head.name_off);
    add_contained(type);
    return added_[id] = append(type);
  }

  // A typedef of a pointer to a function, whose arguments become pointers to void, so as to be counted.
  void add_tracepoint(uint32_t id) {
    BtfFile::Type name = from_->type(id), pointer = from_->type(name.head.type),
                  function = from_->type(pointer.head.type);
    if (name.kind() != BTF_KIND_TYPEDEF || pointer.kind() != BTF_KIND_PTR || function.kind() != BTF_KIND_FUNC_PROTO)
      return;
    std::ranges::fill(function.rest, 0);
    function.head.type = 0;
    pointer.head.type = append(function);
    name.head.type = append(pointer);
    name.head.name_off = string(name.head.name_off);
    append(name);
  }

  void append(const void *bytes, size_t size) { types_.append(static_cast<const char *>(bytes), size); }

  uint32_t append(const BtfFile::Type &type) {  // its number
    append(&type.head, sizeof(type.head));
    append(type.rest.data(), type.rest.size() * sizeof(uint32_t));
    return ++last_;
  }

  uint32_t string(uint32_t offset) {
    if (offset == 0) return 0;
    const auto [entry, added] = offsets_.try_emplace(offset, strings_.size());
    if (added) strings_ += from_->name(offset) + '\0';
    return entry->second;
  }

  // Three words each; its name is the first of them.
  void keep_members(BtfFile::Type &type) const {
    std::vector<uint32_t> kept;
    for (size_t at = 0; at + 3 <= type.rest.size(); at += 3) {
      const uint32_t name = type.rest[at];
      if (name == 0 || wanted_.members.contains(from_->name(name)))
        kept.insert(kept.end(), &type.rest[at], &type.rest[at] + 3);
    }
    type.rest = std::move(kept);
    type.head.info = (type.head.info & ~uint32_t{0xffff}) | static_cast<uint32_t>(type.rest.size() / 3);
  }

  // What is in `rest`: names first, then types, as linux/btf.h has it.
  void add_contained(BtfFile::Type &type) {
    const uint32_t each = type.words_each();
    switch (type.kind()) {
      case BTF_KIND_PTR:
        type.head.type = 0;
        break;
      case BTF_KIND_TYPEDEF:
      case BTF_KIND_VOLATILE:
      case BTF_KIND_CONST:
      case BTF_KIND_RESTRICT:
      case BTF_KIND_TYPE_TAG:
        type.head.type = add(type.head.type);
        break;
      case BTF_KIND_ARRAY:  // the element's type, the index's type, how many
        type.rest[0] = add(type.rest[0]);
        type.rest[1] = add(type.rest[1]);
        break;
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION:
        keep_members(type);
        for (uint32_t at = 0; at < type.rest.size(); at += each) {
          type.rest[at] = string(type.rest[at]);
          type.rest[at + 1] = add(type.rest[at + 1]);
        }
        break;
      case BTF_KIND_ENUM:
      case BTF_KIND_ENUM64:
        for (uint32_t at = 0; at < type.rest.size(); at += each) type.rest[at] = string(type.rest[at]);
        break;
      default:  // numbers, and forward declarations
        break;
    }
  }

  const BtfFile *from_ = nullptr;
  const RelocatedTypes &wanted_;
  std::string types_, strings_ = std::string(1, '\0');
  std::unordered_map<uint32_t, uint32_t> added_, offsets_;  // of types and strings there: what they are here
  uint32_t last_ = 0;
};

}  // namespace

void RelocatedTypes::add(const RelocatedTypes &more) {
  names.insert(more.names.begin(), more.names.end());
  members.insert(more.members.begin(), more.members.end());
}

std::string btf_subset(const BtfFile &types, const RelocatedTypes &wanted, std::span<const BtfFile *const> modules) {
  Subset subset(wanted);
  std::vector<std::string> elsewhere;
  for (const std::string &name : wanted.names)
    if (!subset.add_all(types, name)) elsewhere.push_back(name);
  for (const BtfFile *module : modules)
    for (const std::string &name : elsewhere) subset.add_all(*module, name);
  return subset.file();
}

RelocatedTypes types_to_relocate(const btf *of_object) {
  RelocatedTypes wanted;
  for (uint32_t id = 1; id < btf__type_cnt(of_object); id++) {
    const btf_type *type = btf__type_by_id(of_object, id);
    if (!btf_is_composite(type) && !btf_is_any_enum(type) && !btf_is_typedef(type)) continue;
    const std::string name = btf__name_by_offset(of_object, type->name_off);
    const size_t flavor = name.find("___");
    if (!name.empty()) wanted.names.insert(flavor == 0 ? name : name.substr(0, flavor));
    if (!btf_is_composite(type)) continue;
    for (const btf_member &member : std::span(btf_members(type), btf_vlen(type)))
      wanted.members.insert(btf__name_by_offset(of_object, member.name_off));
  }
  return wanted;
}

}  // namespace strata
