// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program's text as tokens. Comments, a first line with #!, and blanks are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/source.h"

namespace strata::expr {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kName,       // a word, also one with dots where only the parser knows: that is cut by it
    kVariable,   // $name
    kParameter,  // $1, $# (text "#"), ${name} is none
    kMap,        // @name; its text may be empty
    kNumber,     // of any base, with a unit: 10ms is in nanoseconds
    kString,     // its text with the escapes resolved
    kSymbol      // of one to three characters
  };
  Kind kind = Kind::kEnd;
  std::string text;
  uint64_t number = 0;
  bool duration = false;  // a number with a unit of time
  Span at;
  bool spaced = false;       // something stands between it and the token before
  bool begins_line = false;  // is the first one of its line

  [[nodiscard]] bool is(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
  [[nodiscard]] bool is_name(std::string_view name) const { return kind == Kind::kName && text == name; }
};

std::vector<Token> tokens_of(const Source &source);  // the last one is kEnd; throws Error

}  // namespace strata::expr
