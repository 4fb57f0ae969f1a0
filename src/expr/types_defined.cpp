// The types that a program defines, and enumerators, its own and the kernel's.
#include <algorithm>

#include "base/text.h"
#include "expr/types.h"

namespace strata::expr {
namespace {

constexpr uint32_t kMostBytes = 1 << 20;  // of a struct

}  // namespace

void Types::define(const Program &program, const Source &source) {
  for (const EnumDefinition &one : program.enums) define(one);
  for (const StructDefinition &one : program.structs) define(one, source);
}

// --- enumerations

// As GCC has it: an int, unsigned where no enumerator is below 0, and 8 bytes if it must.
void Types::define(const EnumDefinition &definition) {
  bool is_signed = false, is_wide = false;
  for (const auto &[name, value] : definition.enumerators) is_signed = is_signed || static_cast<int64_t>(value) < 0;
  for (const auto &[name, value] : definition.enumerators)
    is_wide = is_wide || (is_signed ? static_cast<int32_t>(value) != static_cast<int64_t>(value) : value > UINT32_MAX);
  Type type = int_type(is_wide ? 8 : 4, is_signed);
  type.name = definition.name;
  std::map<uint64_t, std::string> &names = names_[definition.name];
  for (const auto &[name, value] : definition.enumerators) {
    own_enumerators_[name] = {.value = value, .type = type};
    names.emplace(value, name);
  }
  enums_.emplace("enum " + definition.name, type);
  enums_.emplace(definition.name, type);
}

std::optional<Enumerator> Types::own_enumerator(const std::string &name) const {
  const auto found = own_enumerators_.find(name);
  return found == own_enumerators_.end() ? std::nullopt : std::optional(found->second);
}

// Read once, all of them, by whoever uses a name that is nothing else.
std::optional<Enumerator> Types::enumerator(const std::string &name) {
  const BtfType at = find_("task_struct", BTF_KIND_STRUCT);
  if (at.file == nullptr) return std::nullopt;
  if (!enumerators_) enumerators_ = at.file->enumerators();
  const auto found = enumerators_->find(name);
  if (found == enumerators_->end()) return std::nullopt;
  Type type = read({at.file, found->second.of}, Space::kUnknown);
  return Enumerator{.value = found->second.value, .type = type.is_enum() ? std::move(type) : int_type()};
}

BtfType Types::find_enum(const std::string &name) {
  const BtfType found = find_(name, BTF_KIND_ENUM);
  return found.file != nullptr ? found : find_(name, BTF_KIND_ENUM64);
}

std::map<uint64_t, std::string> Types::names_of_enum(const std::string &name) {
  if (const auto own = names_.find(name); own != names_.end()) return own->second;
  std::map<uint64_t, std::string> names;
  if (const BtfType at = find_enum(name); at.file != nullptr)
    for (auto &[enumerator, value] : at.file->enumerators(at.id)) names.emplace(value, std::move(enumerator));
  return names;
}

// --- structs

void Types::define(const StructDefinition &definition, const Source &source) {
  const auto made = std::make_shared<Record>();
  const bool is_union = definition.name.starts_with("union ");
  made->name = definition.name;
  made->complete = true;
  uint64_t end = 0;  // in bits, of all that stands before
  for (const StructDefinition::Member &member : definition.members) {
    std::optional<Type> type = named(member.type);
    if (!type) throw source.error(member.at, "unknown type '" + printable(member.type.name) + "'");
    const uint64_t bits = uint64_t{bytes_of(*type)} * 8, step = uint64_t{align_of(*type)} * 8;
    if (member.bits != 0 && (!type->is(Type::Kind::kInt) || member.bits > bits))
      throw source.error(member.at, "a bit field is a part of a number, and not wider");
    uint64_t at = is_union ? 0 : end;
    const bool shares = member.bits != 0 && at / bits == (at + member.bits - 1) / bits;  // a number with the one before
    if (!shares) at = (at + step - 1) / step * step;
    if (member.bits != 0) {
      type->bits = member.bits;
      type->bit_offset = static_cast<uint32_t>(at % bits);
    }
    const uint64_t offset = member.bits != 0 ? at / bits * bits : at;
    made->fields.push_back({.name = member.name, .type = *type, .offset = static_cast<uint32_t>(offset / 8)});
    made->align = std::max(made->align, align_of(*type));
    end = std::max(end, at + (member.bits != 0 ? member.bits : bits));
    if (end > uint64_t{kMostBytes} * 8) throw source.error(member.at, "a struct has at most 1 MiB");
  }
  const uint64_t bytes = (end + 7) / 8;
  made->size = static_cast<uint32_t>((bytes + made->align - 1) / made->align * made->align);
  defined_[definition.name] = made;
  defined_[definition.name.substr(definition.name.find(' ') + 1)] = made;
}

}  // namespace strata::expr
