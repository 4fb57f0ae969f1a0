// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/utf8.h"

#include "base/test.h"

namespace strata {

TEST_CASE("a character has its code point, and bytes that are none have no length") {
  CHECK(first_character("a").code_point == 'a');
  CHECK(first_character("\xc3\xbc!").code_point == 0xfc);
  CHECK(first_character("\xf0\x9f\x90\x99").code_point == 0x1f419);
  CHECK(first_character("\xf0\x9f\x90\x99").length == 4);
  for (const char *text : {"\x80", "\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"})
    CHECK(first_character(text).length == 0);
  CHECK(is_utf8(""));
  CHECK(is_utf8("gr\xc3\xbc\xc3\x9f \xe2\x82\xac"));
  CHECK_FALSE(is_utf8("gr\xc3\xbc\xc3"));
}

TEST_CASE("what nobody sees is hidden, and nothing else") {
  for (const uint32_t hidden : {0x0U, 0x1bU, 0x7fU, 0x9bU, 0xadU, 0x61cU, 0x200bU, 0x200fU, 0x2028U, 0x2029U, 0x202eU,
                                0x2060U, 0x2069U, 0x3164U, 0xfe0fU, 0xfeffU, 0xe0001U, 0xe007fU})
    CHECK(is_hidden(hidden));
  for (const uint32_t seen : {0x20U, 0x7eU, 0xa0U, 0xaeU, 0xfcU, 0x61bU, 0x200aU, 0x2010U, 0x3163U, 0xfffdU, 0x1f419U})
    CHECK_FALSE(is_hidden(seen));
}

}  // namespace strata
