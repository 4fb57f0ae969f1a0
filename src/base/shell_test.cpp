// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/shell.h"

#include "base/test.h"

namespace strata {

using std::string_literals::operator""s;

TEST_CASE("a word that needs no quotes has none") {
  CHECK(shell_quoted("gcc") == "gcc");
  CHECK(shell_quoted("--prefix=/usr/local") == "--prefix=/usr/local");
  CHECK(shell_quoted("a@b:c,d%e+f_g") == "a@b:c,d%e+f_g");
}

TEST_CASE("what a shell would read otherwise is quoted") {
  CHECK(shell_quoted("").empty() == false);
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("two words") == "'two words'");
  CHECK(shell_quoted("$HOME") == "'$HOME'");
  CHECK(shell_quoted("~") == "'~'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  CHECK(shell_quoted("a\\x1b") == "'a\\x1b'");
  CHECK(shell_quoted("Grüße") == "'Grüße'");
}

TEST_CASE("control characters and broken UTF-8 are escapes") {
  CHECK(shell_quoted("a\x1b[1mb") == "$'a\\x1b[1mb'");
  CHECK(shell_quoted("a\nb") == "$'a\\x0ab'");
  CHECK(shell_quoted("\xff'\\") == "$'\\xff\\'\\\\'");
  CHECK(shell_quoted("\x1b"
                     "41") == "$'\\x1b41'");
}

TEST_CASE("no two texts look alike, and what is clear stays as it is") {
  CHECK(distinct("/srv/two words/it's") == "/srv/two words/it's");
  CHECK(distinct("Grüße") == "Grüße");
  CHECK(distinct("qa\nb") == "$'qa\\x0ab'");
  CHECK(distinct("qa\\x0ab") == "'qa\\x0ab'");
  CHECK(distinct("$'qa\\x0ab'") == R"('$'\''qa\x0ab'\''')");
  CHECK(distinct("\xff\\xff") == "$'\\xff\\\\xff'");
}

TEST_CASE("a line has all words, empty ones too") {
  CHECK(shell_line("") == "");
  CHECK(shell_line("ls\0-l\0a b\0"s) == "ls -l 'a b'");
  CHECK(shell_line("ls\0... (more)"s) == "ls ... (more)");
  CHECK(shell_line("\0\0x\0"s) == "'' '' x");
  CHECK(shell_line("\0"s) == "''");
}

TEST_CASE("a line is words, as a shell has them") {
  using Words = std::vector<std::string>;
  CHECK(shell_words("").words == Words{});
  CHECK(shell_words("  ls\t-l \n").words == Words{"ls", "-l"});
  CHECK(shell_words("sh -c 'echo \"a  b\"; exit 3'").words == Words{"sh", "-c", "echo \"a  b\"; exit 3"});
  CHECK(shell_words(R"(a"b c"'d e'f\ g)").words == Words{"ab cd ef g"});
  CHECK(shell_words(R"("a\"b\\c\d" '\')").words == Words{R"(a"b\c\d)", "\\"});
  CHECK(shell_words("'' \"\"").words == Words{"", ""});
  CHECK(shell_words("a\\").words == Words{"a\\"});
  CHECK_FALSE(shell_words("sh -c 'echo").closed);
  CHECK_FALSE(shell_words("\"a\\\"").closed);
  for (const char *shells : {"echo a | cat", "echo a|cat", "a; b", "a &", "a>b", "cat <a", "echo $HOME", "echo `a`"})
    CHECK(shell_words(shells).shells != '\0');
  for (const char *plain : {"sh -c 'echo a; echo b'", "grep \">\" a", "expr 3 \\& 4", "ls *.c", "find -exec a {} ';'"})
    CHECK(shell_words(plain).shells == '\0');
}

}  // namespace strata
