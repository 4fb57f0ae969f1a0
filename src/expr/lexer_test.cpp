// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/lexer.h"

#include "base/test.h"

namespace strata::expr {
namespace {

std::vector<Token> of(const std::string &text) { return tokens_of({"program", text}); }
uint64_t number(const std::string &text) { return of(text).at(0).number; }

std::string said(const std::string &text) {
  try {
    of(text);
  } catch (const Error &error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

}  // namespace

TEST_CASE("numbers of every base, with groups, exponents and units of time") {
  CHECK(number("42") == 42);
  CHECK(number("0x1F") == 31);
  CHECK(number("0b101") == 5);
  CHECK(number("017") == 15);
  CHECK(number("1_000_000") == 1'000'000);
  CHECK(number("1e6") == 1'000'000);
  CHECK(number("7UL") == 7);
  CHECK(number("18446744073709551615") == UINT64_MAX);
  CHECK(number("10ms") == 10'000'000);
  CHECK(number("2h") == 7'200'000'000'000);
  CHECK(of("10ms").at(0).duration);
  CHECK_FALSE(of("10").at(0).duration);
  CHECK(number("'a'") == 'a');
  CHECK(number("'\\n'") == '\n');
}

TEST_CASE("numbers that are none, or too large, are refused where they stand") {
  CHECK(said("1 18446744073709551616") == "program:1:3: not a number: '18446744073709551616'");
  CHECK(said("0x") == "program:1:1: not a number: '0x'");
  CHECK(said("08") == "program:1:1: not a number: '08'");
  CHECK(said("2e19") == "program:1:1: not a number: '2e19'");
  CHECK(said("18446744073709551615s") == "program:1:1: not a number: '18446744073709551615s'");
  CHECK(said("10parsecs") == "program:1:1: not a number: '10parsecs'");
}

TEST_CASE("strings with their escapes resolved") {
  CHECK(of(R"("a\tb\"\\\x41\101")").at(0).text == "a\tb\"\\AA");
  CHECK(said(R"(x "abc)") == "program:1:3: this string has no end");
  CHECK(said(R"("\q")").starts_with("program:1:2: unknown escape sequence"));
}

TEST_CASE("the longest symbol is taken") {
  const std::vector<Token> tokens = of("a<<=b>>c->d++ ... ..");
  std::vector<std::string> texts;
  for (const Token &one : tokens) texts.push_back(one.text);
  CHECK(texts == std::vector<std::string>{"a", "<<=", "b", ">>", "c", "->", "d", "++", "...", "..", ""});
}

TEST_CASE("names of maps, variables and parameters are without their first letter") {
  const std::vector<Token> tokens = of("@ @map $x $1 $#");
  CHECK((tokens.at(0).kind == Token::Kind::kMap && tokens.at(0).text.empty()));
  CHECK((tokens.at(1).kind == Token::Kind::kMap && tokens.at(1).text == "map"));
  CHECK((tokens.at(2).kind == Token::Kind::kVariable && tokens.at(2).text == "x"));
  CHECK((tokens.at(3).kind == Token::Kind::kParameter && tokens.at(3).text == "1"));
  CHECK((tokens.at(4).kind == Token::Kind::kParameter && tokens.at(4).text == "#"));
}

TEST_CASE("comments, blanks and a first line for the shell are no tokens") {
  CHECK(of("#!/usr/bin/env -S strata run\n// one\n/* two\n */ x").at(0).text == "x");
  CHECK(said("x\n /* y") == "program:2:2: this comment has no end");
}

TEST_CASE("whatever a text ends within, it is refused and not read beyond") {
  for (const char *text : {"\"", "\"\\", "\"\\x", "'", "'\\", "'a", "/*", "0x", "\"a\\"}) {
    INFO(text);
    CHECK_FALSE(said(text).empty());
  }
}

}  // namespace strata::expr
