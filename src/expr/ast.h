// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program as it was written, in trees. The parser makes them; the check (check.h) adds types.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "expr/source.h"
#include "expr/type.h"

namespace strata::expr {

struct Expression;
struct Statement;
using Block = std::vector<Statement>;
using ExpressionPtr = std::unique_ptr<Expression>;

// `struct x *`, `uint32`, `char[16]`, as it stands in a cast, a declaration or sizeof().
struct TypeName {
  std::string name;  // with "struct ", "union " or "enum "
  uint32_t pointers = 0;
  std::vector<uint64_t> counts;              // of an array
  std::shared_ptr<Expression> of = nullptr;  // of typeof(), instead of a name
  [[nodiscard]] bool given() const { return of != nullptr || !name.empty(); }
};

struct Expression {
  enum class Kind : uint8_t {
    kNumber,    // number
    kString,    // text
    kName,      // text: a builtin, a parameter of the function, a constant
    kVariable,  // $text
    kMap,       // @text[parts...]
    kCall,      // text(parts...)
    kField,     // parts[0].text, or parts[0]->text: both lead through a pointer
    kIndex,     // parts[0][parts[1]]
    kUnary,     // text parts[0]
    kBinary,    // parts[0] text parts[1]
    kChoice,    // parts[0] ? parts[1] : parts[2]
    kCast,      // (type_name)parts[0]
    kTuple,     // (parts...), or (names=parts...), a record
    kStep,      // ++ and --: text, parts[0]; number 1: its value is the one before
    kSize,      // sizeof(type_name), or sizeof(parts[0])
    kOffset,    // offsetof(type_name or parts[0], text)
    kBlock,     // { body }, whose last statement is its value
    kRoutine,   // a call of the program's function `text`: { body }, whose return gives a value of type_name
  };
  Kind kind = Kind::kNumber;
  Span at;
  std::string text;
  uint64_t number = 0;
  TypeName type_name;
  std::vector<ExpressionPtr> parts;
  std::vector<std::string> names;
  Block body;
  uint32_t scope = 0;  // of a variable: which use of a macro it belongs to; 0: the program's own

  // By the check:
  Type type;
  uint32_t index = 0;     // of a map, a variable, a parameter, a format
  uint32_t offset = 0;    // of a field
  bool constant = false;  // `number` has the value
};

// The text of a string that is known before the program runs, also within str(); else nullptr.
const std::string *literal_of(const Expression &e);

struct Statement {
  enum class Kind : uint8_t {
    kExpression,  // value
    kAssign,      // target text value: = += ...
    kDeclare,     // let $x, or with a value; target is the variable
    kIf,          // value ? body : otherwise
    kWhile,
    kUnroll,
    kFor,  // target is the variable; value .. end
    kReturn,
    kBreak,
    kContinue,
    kBlock,
  };
  Kind kind = Kind::kExpression;
  Span at;
  std::string text;
  ExpressionPtr target, value, end;
  Block body, otherwise;
  // By the check, of a loop: its body is a function that a helper calls; and it is in a value, where nothing leaves the
  // probe.
  bool called = false, stays = false;
};

// Of an if whose condition is known before the program runs, the block that stays; else nullptr.
const Block *known_branch(const Statement &one);

// "kprobe:vfs_read", its kind in full and its other words as they were written.
struct AttachPoint {
  std::string kind;
  std::vector<std::string> words;
  Span at;
  std::string text;
};

struct Probe {
  std::vector<AttachPoint> places;
  ExpressionPtr predicate;
  Block body;
};

struct StructDefinition {
  std::string name;     // with "struct " or "union "; of one without a name #1 and so on
  bool packed = false;  // its members lie without gaps
  struct Member {
    TypeName type;
    std::string name;  // empty: of a struct or union without a name, whose members are this one's
    uint32_t bits = 0;
    Span at;
  };
  std::vector<Member> members;
  Span at;
};

// Of one without a name: #1 and so on.
struct EnumDefinition {
  std::string name;
  std::vector<std::pair<std::string, uint64_t>> enumerators;  // in their order
};

struct Setting {
  std::string name, text;
  Span at;
};

// let @name = lruhash(100);
struct MapDeclaration {
  std::string name, kind;
  uint64_t keys = 0;
  Span at;
};

// macro name($a, @b, c) { body }
struct Macro {
  std::string name;
  std::vector<ExpressionPtr> parameters;  // a variable, a map or a name
  Block body;
};

// fn name($a : int64, $b : string) : int64 { body }
struct Routine {
  std::string name;
  std::vector<ExpressionPtr> parameters;  // variables with their types
  TypeName result;                        // void: none
  Block body;
};

inline constexpr uint32_t kMostMapKeys = 1 << 22;

struct Program {
  std::vector<Setting> settings;
  std::vector<MapDeclaration> maps;
  std::vector<Macro> macros;
  std::vector<Routine> routines;
  std::vector<EnumDefinition> enums;
  std::vector<StructDefinition> structs;  // each before those that have it within
  std::vector<Probe> probes;
};

}  // namespace strata::expr
