// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Words as a shell reads them: where one argument ends and the next begins is visible, and pasting them runs the
// same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

// a-b.c -> a-b.c; "two words" -> 'two words'; "" -> ''; what printable() would change -> $'a\x1bb' (bash, ksh, zsh,
// busybox)
std::string shell_quoted(std::string_view word);
std::string in_shell_quotes(std::string_view word);  // also where it needs none

// A text from elsewhere on a terminal, such that no two look alike: as it is, but quoted if it has a backslash or what
// printable() would change. two words -> two words; qa\x0ab -> 'qa\x0ab', and with a newline there -> $'qa\x0ab'
std::string distinct(std::string_view text);

// Words that end with a zero byte each, quoted, a space between two. What stands behind the last one is no word but a
// remark on those that are missing ("... (7 bytes more)"): it stays as it is.
std::string shell_line(std::string_view words);

// The words of a line, by blanks, quotes and backslashes alone: nothing is expanded.
struct ShellWords {
  std::vector<std::string> words;
  bool closed = true;  // each quote is
  char shells = '\0';  // the first character without quotes that a shell acts on, as |
};
ShellWords shell_words(std::string_view line);

}  // namespace strata
