// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// UTF-8, character by character: checked by hand, as the standard library has no function that accepts a part of a
// string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata {

struct Character {
  uint32_t code_point;
  size_t length;  // bytes; 0: not valid UTF-8
};

Character first_character(std::string_view text);  // of a text that is not empty
bool is_utf8(std::string_view text);

// What a reader of the text does not see, or sees in another place: control characters of both ranges, the ends of
// lines and paragraphs, marks that change the direction of what follows, and what Unicode lets no font draw
// (Default_Ignorable_Code_Point).
bool is_hidden(uint32_t code_point);

}  // namespace strata
