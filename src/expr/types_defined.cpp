// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The types that a program defines, and enumerators, its own and the kernel's.
#include <algorithm>

#include "base/text.h"
#include "expr/types.h"

namespace strata::expr {
namespace {

constexpr uint32_t kMostBytes = 1 << 20;  // of a struct

// Where the members of a struct lie, in bits, as C has it.
class Layout {
 public:
  Layout(bool is_union, bool packed) : is_union_(is_union), packed_(packed) {}

  // Of a member of so many bytes; a bit field is read as a part of a number.
  void add(Field &field, uint64_t bytes, uint64_t align, uint32_t bits) {
    const uint64_t wide = bytes * 8, step = (packed_ ? 1 : align) * 8;
    uint64_t at = is_union_ ? 0 : end_;
    const bool shares = bits != 0 && (packed_ || at / wide == (at + bits - 1) / wide);  // a number with the one before
    if (!shares) at = (at + step - 1) / step * step;
    end_ = std::max(end_, at + (bits != 0 ? bits : wide));
    if (bits == 0) {
      field.offset = static_cast<uint32_t>(at / 8);
      return;
    }
    if (packed_)  // from any byte on
      for (field.type.size = 1; field.type.size * 8 < at % 8 + bits;) field.type.size *= 2;
    const uint64_t unit = packed_ ? 8 : wide;
    field.offset = static_cast<uint32_t>(at / unit * unit / 8);
    field.type.bits = bits;
    field.type.bit_offset = static_cast<uint32_t>(at % unit);
  }
  [[nodiscard]] uint64_t bytes() const { return (end_ + 7) / 8; }

 private:
  const bool is_union_, packed_;
  uint64_t end_ = 0;  // of all that stands before
};

}  // namespace

Types::~Types() {
  for (const auto &[name, record] : defined_) record->fields.clear();
  for (const auto &[at, record] : records_) record->fields.clear();
}

void Types::define(const Program &program, const Source &source) {
  for (const EnumDefinition &one : program.enums) define(one);
  for (const StructDefinition &one : program.structs) {
    const auto made = std::make_shared<Record>();
    if (one.name.find('#') == std::string::npos) made->name = one.name;
    made->complete = true;
    made->align = 0;
    defined_[one.name] = defined_[one.name.substr(one.name.find(' ') + 1)] = made;
  }
  // Pointers know the size of what they lead to, which may stand below: by the second round it is known.
  for (int round = 0; round < 2; round++)
    for (const StructDefinition &one : program.structs) lay_out(one, source);
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
  const auto within = [&](const BtfFile *file, Enumerators &all) -> std::optional<Enumerator> {
    if (file == nullptr) return std::nullopt;
    if (!all) all = file->enumerators();
    const auto found = all->find(name);
    if (found == all->end()) return std::nullopt;
    Type type = read({file, found->second.of}, Space::kUnknown);
    return Enumerator{.value = found->second.value, .type = type.is_enum() ? std::move(type) : int_type()};
  };
  if (program_ != nullptr)
    if (std::optional<Enumerator> found = within(program_, programs_[program_])) return found;
  return within(find_("task_struct", BTF_KIND_STRUCT).file, enumerators_);
}

BtfType Types::find_enum(const std::string &name) const {
  const BtfType found = find(name, BTF_KIND_ENUM);
  return found.file != nullptr ? found : find(name, BTF_KIND_ENUM64);
}

std::map<uint64_t, std::string> Types::names_of_enum(const std::string &name) {
  if (const auto own = names_.find(name); own != names_.end()) return own->second;
  std::map<uint64_t, std::string> names;
  if (const BtfType at = find_enum(name); at.file != nullptr)
    for (auto &[enumerator, value] : at.file->enumerators(at.id)) names.emplace(value, std::move(enumerator));
  return names;
}

// --- structs

// Of a type that has its size by now. What points to a struct that nobody knows is a void *.
Type Types::member_type(const StructDefinition::Member &member, const Source &source) {
  const auto fault = [&](const std::string &what) { return source.error(member.at, what); };
  uint64_t elements = 1;
  for (const uint64_t one : member.type.counts) {
    if (one > kMostBytes || elements * one > kMostBytes) throw fault("a struct has at most 1 MiB");
    elements *= one;
  }
  std::optional<Type> type = named(member.type);
  if (!type && member.type.pointers > 0 && member.type.name.find(' ') != std::string::npos)
    type = named({.name = "void", .pointers = member.type.pointers, .counts = member.type.counts});
  if (!type || !type->known()) throw fault("unknown type '" + printable(member.type.name) + "'");
  const Type *held = &*type;
  while (held->is(Type::Kind::kArray)) held = held->to.get();
  if (held->is(Type::Kind::kRecord) && held->record->align == 0)
    throw fault(held->record->name + " has no members yet: what is within another one stands before it");
  if (uint64_t{bytes_of(*held)} * elements > kMostBytes) throw fault("a struct has at most 1 MiB");
  return *type;
}

void Types::lay_out(const StructDefinition &definition, const Source &source) {
  Record &made = *defined_.at(definition.name);
  Layout layout(definition.name.starts_with("union "), definition.packed);
  std::vector<Field> fields;
  uint32_t most_aligned = 1;
  for (const StructDefinition::Member &member : definition.members) {
    if (!member.name.empty() && std::ranges::find(fields, member.name, &Field::name) != fields.end())
      throw source.error(member.at, "member " + member.name + " is there twice");
    Field field = {.name = member.name, .type = member_type(member, source), .offset = 0};
    const uint32_t bytes = bytes_of(field.type), align = align_of(field.type);
    if (member.bits != 0 && (!field.type.is(Type::Kind::kInt) || member.bits > bytes * 8))
      throw source.error(member.at, "a bit field is a part of a number, and not wider");
    layout.add(field, bytes, align, member.bits);
    if (field.type.size > 8 && field.type.bits != 0)
      throw source.error(member.at, "this bit field lies in nine bytes, which are not read at once");
    if (layout.bytes() > kMostBytes) throw source.error(member.at, "a struct has at most 1 MiB");
    fields.push_back(std::move(field));
    most_aligned = std::max(most_aligned, align);
  }
  made.fields = std::move(fields);
  made.packed = definition.packed;
  made.align = definition.packed ? 1 : most_aligned;
  made.size = static_cast<uint32_t>((layout.bytes() + made.align - 1) / made.align * made.align);
}

}  // namespace strata::expr
