// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/program_arguments.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "expr/machine.h"

namespace strata::expr {
namespace {

constexpr unsigned kMostDepth = 32;
constexpr uint32_t kMostInRegisters = 16;  // bytes of one argument
constexpr uint32_t kWord = 8;

// Of eight bytes of an argument: what is in them decides which registers they come in.
enum class Part : uint8_t { kNothing, kNumber, kFloat };

struct Shape {
  uint32_t bytes = 0;
  bool in_memory = false;  // on the stack, whatever is free
  bool wide = false;       // on the stack, at a multiple of 16
  std::array<Part, 2> parts = {};
  [[nodiscard]] size_t count(Part one) const { return static_cast<size_t>(std::ranges::count(parts, one)); }
};

// System V, x86-64, 3.2.3: numbers win over floats in the same eight bytes.
class Shapes {
 public:
  explicit Shapes(const BtfFile &types) : types_(types) {}

  Shape of(uint32_t id) {
    Shape made;
    made.bytes = bytes_of(id, 0);
    made.in_memory = made.bytes > kMostInRegisters;
    add(made, id, 0, 0);
    return made;
  }

 private:
  uint32_t bytes_of(uint32_t id, unsigned depth) {
    const BtfFile::Type type = types_.type(id);
    switch (type.kind()) {
      case BTF_KIND_PTR:
        return kWord;
      case BTF_KIND_ARRAY:
        return depth < kMostDepth ? bytes_of(type.rest[0], depth + 1) * type.rest[2] : 0;
      case BTF_KIND_TYPEDEF:
      case BTF_KIND_CONST:
      case BTF_KIND_VOLATILE:
      case BTF_KIND_RESTRICT:
        return depth < kMostDepth ? bytes_of(type.head.type, depth + 1) : 0;
      case BTF_KIND_FWD:
      case BTF_KIND_FUNC_PROTO:
        return 0;
      default:
        return type.head.size;
    }
  }

  static void put(Shape &shape, uint64_t at, uint32_t bytes, Part part) {
    if (bytes != 0 && at % bytes != 0) shape.in_memory = true;
    for (uint64_t i = at / kWord; i < shape.parts.size() && i * kWord < at + bytes; i++)
      if (shape.parts[i] != Part::kNumber) shape.parts[i] = part;
  }

  void add(Shape &shape, uint32_t id, uint64_t at, unsigned depth) {
    const BtfFile::Type type = types_.type(id);
    if (depth > kMostDepth) return;
    switch (type.kind()) {
      case BTF_KIND_TYPEDEF:
      case BTF_KIND_CONST:
      case BTF_KIND_VOLATILE:
      case BTF_KIND_RESTRICT:
        return add(shape, type.head.type, at, depth + 1);
      case BTF_KIND_PTR:
        return put(shape, at, kWord, Part::kNumber);
      case BTF_KIND_INT:
      case BTF_KIND_ENUM:
      case BTF_KIND_ENUM64:
        return put(shape, at, type.head.size, Part::kNumber);
      case BTF_KIND_FLOAT:
        if (types_.name(type.head.name_off).ends_with("long double")) shape.in_memory = shape.wide = true;
        return put(shape, at, std::min(type.head.size, 8U), Part::kFloat);
      case BTF_KIND_ARRAY: {
        const uint32_t each = bytes_of(type.rest[0], 0),
                       count = shape.in_memory ? std::min(type.rest[2], 1U) : type.rest[2];
        for (uint32_t i = 0; each != 0 && i < count && i * each < shape.bytes; i++)
          add(shape, type.rest[0], at + uint64_t{i} * each, depth + 1);
        return;
      }
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION:
        for (size_t i = 0; i + 3 <= type.rest.size(); i += 3) {
          const uint32_t place = type.rest[i + 2];
          const uint32_t bits = BTF_MEMBER_BITFIELD_SIZE(place), bit = BTF_MEMBER_BIT_OFFSET(place);
          if (bits != 0)
            put(shape, at + bit / 8, 1, Part::kNumber), put(shape, at + (bit + bits - 1) / 8, 1, Part::kNumber);
          else
            add(shape, type.rest[i + 1], at + bit / 8, depth + 1);
        }
        return;
      default:
        return;
    }
  }

  const BtfFile &types_;
};

// In the order of the arguments.
class Places {
 public:
  void place(const Shape &shape, ProgramArgument &argument) {
    const size_t numbers = shape.count(Part::kNumber), floats = shape.count(Part::kFloat);
    if (!shape.in_memory && numbers + floats == 0) {
      argument.why_not = "it is empty";
    } else if (!shape.in_memory && numbers_ + numbers <= std::size(kArguments) && floats_ + floats <= kFloats) {
      argument.place = static_cast<uint32_t>(numbers_);
      numbers_ += numbers, floats_ += floats;
      const bool is_number = argument.type.is_number();
      if (floats != 0) argument.why_not = "it is in a register of floating-point numbers, which no program can read";
      if (floats == 0 && !is_number)
        argument.why_not = "it is a struct in registers, which strata run does not read yet; they are " +
                           registers(argument.place, numbers);
    } else {
      if (shape.wide) words_ += words_ % 2;
      argument.place = static_cast<uint32_t>(std::size(kArguments) + words_);
      words_ += (shape.bytes + kWord - 1) / kWord;
      if (!argument.type.known()) argument.why_not = "it is a floating-point number, which programs do not have";
    }
  }

 private:
  static constexpr size_t kFloats = 8;

  static std::string registers(uint32_t first, size_t count) {
    const std::string one = "arg" + std::to_string(first);
    return count < 2 ? one : one + " and arg" + std::to_string(first + 1);
  }

  size_t numbers_ = 0, floats_ = 0, words_ = 0;
};

}  // namespace

std::optional<std::vector<ProgramArgument>> program_arguments(Types &types, const BtfFile &program,
                                                              const std::string &function) {
  const std::optional<Function> known = types.function(program, function);
  if (!known) return std::nullopt;
  const BtfFile::Type prototype = program.type(program.type(program.named(function, BTF_KIND_FUNC)).head.type);
  Shapes shapes(program);
  Places places;
  std::vector<ProgramArgument> all;
  for (const Field &one : known->parameters) {
    const uint32_t id = prototype.rest.at(size_t{one.offset} * 2 + 1);
    ProgramArgument made = {.name = one.name, .declared = declared_type(program, id), .type = one.type};
    if (kStandardCalls)
      places.place(shapes.of(id), made);
    else
      made.why_not = "strata run does not know yet where this processor has it";
    if (!made.name.empty()) all.push_back(std::move(made));
  }
  return all;
}

std::string declared_type(const BtfFile &types, uint32_t id) {
  std::string behind;  // pointers and dimensions
  std::string before;
  for (unsigned depth = 0; depth < kMostDepth; depth++) {
    const BtfFile::Type type = types.type(id);
    const std::string name = types.name(type.head.name_off);
    switch (type.kind()) {
      case BTF_KIND_PTR:
        behind.insert(0, behind.starts_with("const") || behind.starts_with("volatile") ? "* " : "*");
        id = type.head.type;
        continue;
      case BTF_KIND_CONST:
      case BTF_KIND_VOLATILE: {
        const std::string word = type.kind() == BTF_KIND_CONST ? "const" : "volatile";
        if (types.type(type.head.type).kind() == BTF_KIND_PTR)
          behind.insert(0, behind.empty() ? word : word + " ");
        else
          before += word + " ";
        id = type.head.type;
        continue;
      }
      case BTF_KIND_RESTRICT:
        id = type.head.type;
        continue;
      case BTF_KIND_ARRAY:
        behind += "[" + std::to_string(type.rest[2]) + "]";
        id = type.rest[0];
        continue;
      default:
        break;
    }
    const bool is_union = type.kind() == BTF_KIND_UNION || (type.kind() == BTF_KIND_FWD && type.head.info >> 31 != 0);
    const bool is_record = type.kind() == BTF_KIND_STRUCT || type.kind() == BTF_KIND_FWD || is_union;
    const bool is_enum = type.kind() == BTF_KIND_ENUM || type.kind() == BTF_KIND_ENUM64;
    const std::string word = is_union ? "union" : is_record ? "struct" : is_enum ? "enum" : "";
    const std::string what = word + (word.empty() || name.empty() ? "" : " ") + name;
    return before + (what.empty() ? "void" : what) + (behind.empty() ? "" : " " + behind);
  }
  return "void *";
}

}  // namespace strata::expr
