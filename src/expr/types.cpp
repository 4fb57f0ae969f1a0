// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/types.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace strata::expr {
namespace {

struct BaseType {
  std::string_view name;
  uint32_t size;
  bool is_signed;
};
constexpr BaseType kBaseTypes[] = {
    {"char", 1, true},
    {"signed char", 1, true},
    {"unsigned char", 1, false},
    {"short", 2, true},
    {"int", 4, true},
    {"long", 8, true},
    {"long int", 8, true},
    {"short int", 2, true},
    {"long long", 8, true},
    {"long long int", 8, true},
    {"unsigned", 4, false},
    {"unsigned int", 4, false},
    {"unsigned long", 8, false},
    {"unsigned short", 2, false},
    {"unsigned long long", 8, false},
    {"long unsigned int", 8, false},
    {"short unsigned int", 2, false},
    {"long long unsigned int", 8, false},
    {"int8", 1, true},
    {"int16", 2, true},
    {"int32", 4, true},
    {"int64", 8, true},
    {"uint8", 1, false},
    {"uint16", 2, false},
    {"uint32", 4, false},
    {"uint64", 8, false},
    {"int8_t", 1, true},
    {"int16_t", 2, true},
    {"int32_t", 4, true},
    {"int64_t", 8, true},
    {"uint8_t", 1, false},
    {"uint16_t", 2, false},
    {"uint32_t", 4, false},
    {"uint64_t", 8, false},
    {"u8", 1, false},
    {"u16", 2, false},
    {"u32", 4, false},
    {"u64", 8, false},
    {"s8", 1, true},
    {"s16", 2, true},
    {"s32", 4, true},
    {"s64", 8, true},
    {"__u8", 1, false},
    {"__u16", 2, false},
    {"__u32", 4, false},
    {"__u64", 8, false},
    {"size_t", 8, false},
    {"ssize_t", 8, true},
    {"pid_t", 4, true},
    {"uid_t", 4, false},
    {"dev_t", 4, false},
    {"umode_t", 2, false},
    {"loff_t", 8, true},
    {"gid_t", 4, false},
    {"uintptr_t", 8, false},
    {"intptr_t", 8, true},
};

constexpr unsigned kMostDepth = 32;  // typedefs and arrays of a file that may be broken

std::pair<std::string, uint32_t> split_kind(const std::string &name) {
  if (name.starts_with("struct ")) return {name.substr(7), BTF_KIND_STRUCT};
  if (name.starts_with("union ")) return {name.substr(6), BTF_KIND_UNION};
  if (name.starts_with("enum ")) return {name.substr(5), BTF_KIND_ENUM};
  return {name, BTF_KIND_TYPEDEF};
}

// A bit field is read as the whole number that it is part of; where it goes beyond that, from its first byte on. False:
// it lies in nine bytes, which are not read at once.
bool place_bits(Field &field, uint32_t bit) {
  uint32_t width = std::max<uint32_t>(field.type.size, 1) * 8;
  field.offset = bit / width * (width / 8);
  field.type.bit_offset = bit % width;
  if (field.type.bit_offset + field.type.bits <= width) return true;
  field.offset = bit / 8;
  field.type.bit_offset = bit % 8;
  for (; width < 64 && field.type.bit_offset + field.type.bits > width; width *= 2) field.type.size *= 2;
  return field.type.bit_offset + field.type.bits <= width;
}

}  // namespace

std::optional<Type> Types::plain(const std::string &name) const {
  if (name == "void") return Type{};
  if (name == "bool" || name == "_Bool") return bool_type();
  if (name == "string") return string_type(64);
  for (const BaseType &one : kBaseTypes) {
    if (one.name != name) continue;
    Type made = int_type(one.size, one.is_signed);
    made.is_char = name == "char";
    return made;
  }
  if (const auto at = defined_.find(name); at != defined_.end())
    return Type{.kind = Type::Kind::kRecord, .size = at->second->size, .record = at->second};
  if (const auto at = enums_.find(name); at != enums_.end()) return at->second;
  return std::nullopt;
}

// Structs of the C library that have another name in the kernel since 5.6.
constexpr std::pair<std::string_view, std::string_view> kOfLibrary[] = {
    {"struct timespec", "struct __kernel_timespec"}, {"struct timeval", "struct __kernel_old_timeval"}};

std::optional<Type> Types::base(const std::string &name) {
  if (std::optional<Type> known = plain(name)) return known;
  const auto [bare, kind] = split_kind(name);
  BtfType found = kind == BTF_KIND_ENUM ? find_enum(bare) : find(bare, kind);
  for (const uint32_t other : {BTF_KIND_STRUCT, BTF_KIND_UNION, BTF_KIND_ENUM, BTF_KIND_ENUM64})
    if (found.file == nullptr && kind == BTF_KIND_TYPEDEF) found = find(bare, other);
  for (const auto &[theirs, kernels] : kOfLibrary)
    if (found.file == nullptr && name == theirs) return base(std::string(kernels));
  if (found.file == nullptr) return std::nullopt;
  return read(found, Space::kUnknown);
}

std::optional<Type> Types::named(const TypeName &name, Space space) {
  std::optional<Type> type = base(name.name);
  if (!type) return std::nullopt;
  for (uint32_t i = 0; i < name.pointers; i++) type = pointer_to(*type, space);
  for (auto count = name.counts.rbegin(); count != name.counts.rend(); ++count) {
    if (type->is(Type::Kind::kString)) {
      type->size = static_cast<uint32_t>(*count);
      continue;
    }
    const uint32_t each = bytes_of(*type);
    Type array = {.kind = Type::Kind::kArray, .size = each * static_cast<uint32_t>(*count), .space = space};
    array.count = static_cast<uint32_t>(*count);
    array.to = std::make_shared<const Type>(std::move(*type));
    type = array;
  }
  type->space = space;
  return type;
}

uint32_t Types::bytes_of(const Type &type) {
  if (type.is(Type::Kind::kRecord)) complete(*type.record);
  return type.is(Type::Kind::kRecord) ? type.record->size : type.size;
}

// As C has it; the kernel's packed structs, which BTF does not tell apart, are taken for others.
uint32_t Types::align_of(const Type &type) {
  if (type.is(Type::Kind::kPointer)) return 8;
  if (type.is(Type::Kind::kArray)) return align_of(*type.to);
  if (!type.is(Type::Kind::kRecord)) return std::clamp<uint32_t>(type.size, 1, 8);
  complete(*type.record);
  if (type.record->packed) return 1;
  uint32_t align = type.record->align;
  for (const Field &field : type.record->fields) align = std::max(align, align_of(field.type));
  return align;
}

// --- BTF

Type Types::read_record(BtfType at, const BtfFile::Type &type) {
  std::shared_ptr<Record> &record = records_[{at.file, at.id}];
  if (record == nullptr) {
    const std::string name = at.file->name(type.head.name_off);
    record = std::make_shared<Record>();
    record->name = name.empty() ? "" : (type.kind() == BTF_KIND_UNION ? "union " : "struct ") + name;
    record->size = type.head.size;
    record->id = at.id;
    places_[record.get()] = at;
  }
  return {.kind = Type::Kind::kRecord, .size = record->size, .record = record};
}

Type Types::read(BtfType at, Space space, unsigned depth) {
  const BtfFile::Type type = at.file->type(at.id);
  const auto next = [&](uint32_t id) { return depth < kMostDepth ? read({at.file, id}, space, depth + 1) : Type{}; };
  switch (type.kind()) {
    case BTF_KIND_INT: {
      const uint32_t encoding = type.rest.empty() ? 0 : BTF_INT_ENCODING(type.rest[0]);
      Type made = int_type(type.head.size, (encoding & BTF_INT_SIGNED) != 0);
      made.is_bool = (encoding & BTF_INT_BOOL) != 0;
      made.is_char = at.file->name(type.head.name_off) == "char";
      return made;
    }
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64: {
      Type made = int_type(type.head.size, BTF_INFO_KFLAG(type.head.info) != 0);
      made.name = name_of_enum(at, at.file->name(type.head.name_off));
      return made;
    }
    case BTF_KIND_PTR:
      return pointer_to(next(type.head.type), space);
    case BTF_KIND_ARRAY: {
      if (type.rest.size() < 3) return {};
      Type element = next(type.rest[0]);
      Type made = {.kind = Type::Kind::kArray, .size = bytes_of(element) * type.rest[2], .space = space};
      made.count = type.rest[2];
      made.to = std::make_shared<const Type>(std::move(element));
      return made;
    }
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION: {
      Type made = read_record(at, type);
      made.space = space;
      return made;
    }
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_CONST:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG:
      return next(type.head.type);
    case BTF_KIND_FWD: {
      const std::string name = at.file->name(type.head.name_off);
      const uint32_t kind = BTF_INFO_KFLAG(type.head.info) != 0 ? BTF_KIND_UNION : BTF_KIND_STRUCT;
      const BtfType whole = find_beside(at.file, name, kind);
      return whole.file != nullptr && depth < kMostDepth ? read(whole, space, depth + 1) : Type{};
    }
    default:
      return {};
  }
}

void Types::complete(Record &record) {
  if (!record.complete) complete_from_btf(record);
}

void Types::complete_from_btf(Record &record) {
  record.complete = true;  // first, as it may contain pointers to itself
  const BtfType at = places_.at(&record);
  const BtfFile::Type type = at.file->type(at.id);
  const bool has_bits = BTF_INFO_KFLAG(type.head.info) != 0;
  for (uint32_t i = 0; i < type.vlen() && (i + 1) * 3 <= type.rest.size(); i++) {
    const uint32_t name = type.rest[i * 3], member = type.rest[i * 3 + 1], place = type.rest[i * 3 + 2];
    Field field = {.name = at.file->name(name), .type = read({at.file, member}, Space::kUnknown), .offset = 0};
    const uint32_t bit = has_bits ? BTF_MEMBER_BIT_OFFSET(place) : place;
    field.type.bits = has_bits ? BTF_MEMBER_BITFIELD_SIZE(place) : 0;
    field.offset = bit / 8;
    if (field.type.bits != 0 && !place_bits(field, bit)) continue;
    record.fields.push_back(std::move(field));
  }
}

const Record *Types::record_of(const Type &type) {
  const Type *at = &type;
  if (at->is(Type::Kind::kPointer)) at = at->to.get();
  if (!at->is(Type::Kind::kRecord)) return nullptr;
  complete(*at->record);
  return at->record.get();
}

// That the kernel's headers have macros for: sk_dport is __sk_common.skc_dport.
std::optional<Field> Types::field_of_macro(const Record &record, std::string_view name) {
  constexpr std::string_view kMacro = "sk_", kField = "skc_";
  if (record.name != "struct sock" || !name.starts_with(kMacro)) return std::nullopt;
  const auto common = std::ranges::find(record.fields, "__sk_common", &Field::name);
  if (common == record.fields.end() || !common->type.is(Type::Kind::kRecord)) return std::nullopt;
  complete(*common->type.record);
  std::optional<Field> found = field(*common->type.record, std::string(kField).append(name.substr(kMacro.size())));
  if (found) found->offset += common->offset;
  return found;
}

std::optional<Field> Types::field(const Record &record, std::string_view name) {
  for (const Field &one : record.fields)
    if (one.name == name) return one;
  if (std::optional<Field> found = field_of_macro(record, name)) return found;
  for (const Field &one : record.fields) {
    if (!one.name.empty() || !one.type.is(Type::Kind::kRecord)) continue;
    complete(*one.type.record);
    std::optional<Field> found = field(*one.type.record, name);
    if (!found) continue;
    found->offset += one.offset;
    return found;
  }
  return std::nullopt;
}

std::vector<std::string> Types::field_names(const Record &record) {
  std::vector<std::string> names;
  for (const Field &one : record.fields) {
    if (!one.name.empty()) {
      names.push_back(one.name);
    } else if (one.type.is(Type::Kind::kRecord)) {
      complete(*one.type.record);
      const std::vector<std::string> within = field_names(*one.type.record);
      names.insert(names.end(), within.begin(), within.end());
    }
  }
  return names;
}

std::optional<Function> Types::read_function(BtfType at, size_t skipped, Space space) {
  BtfFile::Type type = at.file->type(at.id);
  while (type.kind() == BTF_KIND_FUNC || type.kind() == BTF_KIND_TYPEDEF || type.kind() == BTF_KIND_PTR ||
         type.kind() == BTF_KIND_CONST)
    type = at.file->type(type.head.type);
  if (type.kind() != BTF_KIND_FUNC_PROTO) return std::nullopt;
  Function made = {.parameters = {}, .result = read({at.file, type.head.type}, space)};
  for (uint32_t i = static_cast<uint32_t>(skipped); i < type.vlen() && (i + 1) * 2 <= type.rest.size(); i++)
    made.parameters.push_back({.name = at.file->name(type.rest[i * 2]),
                               .type = read({at.file, type.rest[i * 2 + 1]}, space),
                               .offset = i - static_cast<uint32_t>(skipped)});
  return made;
}

std::optional<Function> Types::function(const std::string &name) {
  const BtfType at = find_(name, BTF_KIND_FUNC);
  if (at.file == nullptr) return std::nullopt;
  std::optional<Function> function = read_function(at, 0);
  if (!function) return function;
  function->at = at;
  uint32_t words = 0;
  for (Field &one : function->parameters) words = (one.offset = words) + words_of_argument(one.type);
  return function;
}

bool Types::in_module(const Function &function) {
  return function.at.file != find_("task_struct", BTF_KIND_STRUCT).file;
}

// The names of its arguments are those of a function that the kernel makes for each tracepoint.
std::optional<Function> Types::tracepoint(const std::string &name) {
  for (const char *prefix : {"__traceiter_", "__bpf_trace_", "btf_trace_"}) {
    const BtfType at = find_(prefix + name, prefix[0] == 'b' ? BTF_KIND_TYPEDEF : BTF_KIND_FUNC);
    if (at.file != nullptr) return read_function(at, 1);
  }
  return std::nullopt;
}

namespace {

// The record of a system call has 8 bytes for each number: of `int` and the like they all count, as in bpftrace; of a
// type with a name of its own (pid_t, clockid_t) those that it has, which is all that the system call takes.
bool has_own_width(const std::string &type) {
  constexpr std::string_view kPlain[] = {"char", "short", "int", "long", "signed", "unsigned"};
  return std::ranges::find(kPlain, std::string_view(type).substr(0, type.find(' '))) == std::end(kPlain);
}

}  // namespace

Type Types::of_declaration(const std::string &declaration, uint32_t size, bool is_signed) {
  std::string text = declaration;
  uint32_t count = 0;
  if (const size_t bracket = text.find('['); bracket != std::string::npos) {
    count = static_cast<uint32_t>(strtoul(text.c_str() + bracket + 1, nullptr, 10));
    text.resize(bracket);
  }
  // Its name is the last word; what is left is the type.
  const size_t end = text.find_last_not_of(' ');
  const size_t word = text.find_last_of(" *", end);
  text.resize(word == std::string::npos ? 0 : word + 1);
  uint32_t pointers = static_cast<uint32_t>(std::count(text.begin(), text.end(), '*'));
  std::erase(text, '*');
  for (const std::string_view qualifier : {"const ", "volatile "})
    for (size_t at = text.find(qualifier); at != std::string::npos; at = text.find(qualifier))
      text.erase(at, qualifier.size());
  while (!text.empty() && text.back() == ' ') text.pop_back();
  std::optional<Type> element = base(text);
  if (pointers > 0) {
    Type made = element.value_or(Type{});
    for (; pointers > 0; pointers--) made = pointer_to(std::move(made), Space::kUnknown);
    return made;
  }
  if (count == 0) {
    const bool number = element && element->is(Type::Kind::kInt);
    if (!number || (element->size != size && !(element->size < size && has_own_width(text)))) {
      Type made = int_type(size, is_signed);
      if (number) made.name = element->name;
      return made;
    }
    return *element;
  }
  const uint32_t each = std::max<uint32_t>(size / std::max<uint32_t>(count, 1), 1);
  if (!element || bytes_of(*element) != each) element = int_type(each, is_signed);
  Type made = {.kind = Type::Kind::kArray, .size = size};
  made.count = count;
  made.to = std::make_shared<const Type>(std::move(*element));
  return made;
}

}  // namespace strata::expr
