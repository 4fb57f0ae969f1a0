// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/program_arguments.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "expr/machine.h"

namespace strata::expr {
namespace {

constexpr unsigned kMostDepth = 32;
constexpr uint32_t kWord = 8, kWide = 16;

// Of eight bytes of an argument: what is in them decides which registers they come in.
enum class Part : uint8_t { kNothing, kNumber, kFloat };

// What conventions ask of an argument.
struct Shape {
  uint32_t bytes = 0;
  bool composite = false;
  bool misaligned = false;         // a field does not lie at a multiple of its size
  bool extended = false;           // long double is in it
  bool wide = false;               // something in it is to lie at a multiple of 16
  bool numbers = false;            // something in it is no float
  uint32_t least = 0, most = 0;    // bytes of its floats
  std::array<Part, 2> parts = {};  // of the first 16 bytes: numbers win over floats in the same eight
  [[nodiscard]] size_t count(Part one) const { return static_cast<size_t>(std::ranges::count(parts, one)); }
  // Of how many floats of one size it is made, and of nothing else; 0 if it is not.
  [[nodiscard]] uint32_t floats() const { return numbers || most == 0 || least != most ? 0 : bytes / most; }
};

class Shapes {
 public:
  explicit Shapes(const BtfFile &types) : types_(types) {}

  Shape of(uint32_t id) {
    Shape made;
    made.bytes = bytes_of(id, 0);
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
    if (bytes != 0 && at % bytes != 0) shape.misaligned = true;
    if (bytes >= kWide) shape.wide = true;
    if (part == Part::kNumber) shape.numbers = true;
    if (part == Part::kFloat) {
      shape.least = shape.most == 0 ? bytes : std::min(shape.least, bytes);
      shape.most = std::max(shape.most, bytes);
    }
    const uint64_t end =
        at + (part == Part::kFloat ? std::min(bytes, kWord) : bytes);  // a wide float is in one register
    for (uint64_t i = at / kWord; i < shape.parts.size() && i * kWord < end; i++)
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
        if (types_.name(type.head.name_off).ends_with("long double")) shape.extended = true;
        return put(shape, at, type.head.size, Part::kFloat);
      case BTF_KIND_ARRAY: {  // of what is in no registers, one is enough
        constexpr uint32_t kMostBytes = 4 * kWide;
        const uint32_t each = bytes_of(type.rest[0], 0),
                       count = shape.bytes > kMostBytes ? std::min(type.rest[2], 1U) : type.rest[2];
        shape.composite = true;
        for (uint32_t i = 0; each != 0 && i < count && i * each < shape.bytes; i++)
          add(shape, type.rest[0], at + uint64_t{i} * each, depth + 1);
        return;
      }
      case BTF_KIND_STRUCT:
      case BTF_KIND_UNION:
        shape.composite = true;
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

constexpr const char *kEmpty = "it is empty";
constexpr const char *kInFloatRegister = "it is in a register of floating-point numbers, which no program can read";
constexpr const char *kFloatOnStack = "it is a floating-point number, which programs do not have";
constexpr const char *kTooWide = "it is a number of 16 bytes, and those of programs have 8";

std::string registers(uint32_t first, size_t count) {
  const std::string one = "arg" + std::to_string(first);
  return count < 2 ? one : one + " and arg" + std::to_string(first + 1);
}

void in_number_registers(size_t first, size_t count, ProgramArgument &argument) {
  argument.place = static_cast<uint32_t>(first);
  if (argument.type.is_number() && count > 1)
    argument.why_not = kTooWide;
  else if (!argument.type.is_number())
    argument.why_not =
        "it is a struct in registers, which strata run does not read yet; they are " + registers(argument.place, count);
}

constexpr size_t kFloatRegisters = 8;  // of either machine

constexpr size_t words_of(const Shape &shape) { return (shape.bytes + kWord - 1) / kWord; }

// WORD is the first one.
void on_stack(const Shape &shape, size_t word, ProgramArgument &argument) {
  argument.place = static_cast<uint32_t>(word);
  if (!argument.type.known())
    argument.why_not = kFloatOnStack;
  else if (argument.type.is_number() && shape.bytes > kWord)
    argument.why_not = kTooWide;
}

// System V, x86-64, 3.2.3. In the order of the arguments, as the other.
class PlacesX86 {
 public:
  void place(const Shape &shape, ProgramArgument &argument) {
    const size_t numbers = shape.count(Part::kNumber), floats = shape.count(Part::kFloat);
    const bool in_memory = shape.bytes > kWide || shape.misaligned || shape.extended;
    if (!in_memory && numbers + floats == 0) {
      argument.why_not = kEmpty;
    } else if (!in_memory && numbers_ + numbers <= kRegisters && floats_ + floats <= kFloatRegisters) {
      in_number_registers(numbers_, numbers, argument);
      numbers_ += numbers, floats_ += floats;
      if (floats != 0) argument.why_not = kInFloatRegister;
    } else {
      if (shape.wide) words_ += words_ % 2;
      on_stack(shape, kRegisters + words_, argument);
      words_ += words_of(shape);
    }
  }

 private:
  static constexpr size_t kRegisters = 6;
  size_t numbers_ = 0, floats_ = 0, words_ = 0;
};

// Procedure Call Standard for the Arm 64-bit Architecture, 6.8.2: what has no registers any more leaves none to those
// behind it.
class PlacesArm64 {
 public:
  void place(const Shape &shape, ProgramArgument &argument) {
    constexpr size_t kMostFloats = 4;
    if (shape.bytes == 0) {
      argument.why_not = kEmpty;
    } else if (const size_t floats = shape.floats(); floats != 0 && floats <= kMostFloats) {
      if (floats_ + floats <= kFloatRegisters) {
        floats_ += floats;
        argument.why_not = kInFloatRegister;
      } else {
        floats_ = kFloatRegisters;
        put_on_stack(shape, argument);
      }
    } else if (shape.composite && shape.bytes > kWide) {  // in memory, by its address
      argument.type = pointer_to(std::move(argument.type), Space::kUser);
      put({.bytes = kWord}, argument);
    } else {
      put(shape, argument);
      if (shape.count(Part::kNumber) + shape.count(Part::kFloat) == 0) argument.why_not = kEmpty;
    }
  }

 private:
  static constexpr size_t kRegisters = 8;

  void put(const Shape &shape, ProgramArgument &argument) {
    const size_t first = numbers_ + (shape.wide ? numbers_ % 2 : 0);
    if (first + words_of(shape) <= kRegisters) {
      in_number_registers(first, words_of(shape), argument);
      numbers_ = first + words_of(shape);
    } else {
      numbers_ = kRegisters;
      put_on_stack(shape, argument);
    }
  }

  void put_on_stack(const Shape &shape, ProgramArgument &argument) {
    if (shape.wide) words_ += words_ % 2;
    on_stack(shape, kRegisters + words_, argument);
    words_ += words_of(shape);
  }

  size_t numbers_ = 0, floats_ = 0, words_ = 0;
};

template <typename Places>
std::vector<ProgramArgument> place_all(const BtfFile &program, const Function &function,
                                       const BtfFile::Type &prototype) {
  Shapes shapes(program);
  Places places;
  std::vector<ProgramArgument> all;
  for (const Field &one : function.parameters) {
    const uint32_t id = prototype.rest.at(size_t{one.offset} * 2 + 1);
    ProgramArgument made = {.name = one.name, .declared = declared_type(program, id), .type = one.type};
    places.place(shapes.of(id), made);
    if (!made.name.empty()) all.push_back(std::move(made));
  }
  return all;
}

}  // namespace

std::optional<std::vector<ProgramArgument>> program_arguments(Types &types, const BtfFile &program,
                                                              const std::string &function, Convention convention) {
  const std::optional<Function> known = types.function(program, function);
  if (!known) return std::nullopt;
  const BtfFile::Type prototype = program.type(program.type(program.named(function, BTF_KIND_FUNC)).head.type);
  return convention == Convention::kArm64 ? place_all<PlacesArm64>(program, *known, prototype)
                                          : place_all<PlacesX86>(program, *known, prototype);
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
