// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/preprocessor.h"

#include <string>

#include "base/test.h"

namespace strata::expr {
namespace {

std::string words_of(const std::string &text) {
  const Source source("program", text);
  std::string words;
  for (const Token &one : preprocessed(source, tokens_of(source)))
    if (one.kind != Token::Kind::kEnd) words += (words.empty() ? "" : " ") + one.text;
  return words;
}

std::string said(const std::string &text) {
  try {
    words_of(text);
  } catch (const Error &error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

}  // namespace

TEST_CASE("a name is the tokens that #define gives to it, from there on") {
  CHECK(words_of("A\n#define A 1 + 2\nA; (A)") == "A 1 + 2 ; ( 1 + 2 )");
  CHECK(words_of("#define A 1 + \\\n  2\nA B") == "1 + 2 B");
  CHECK(words_of("#define A 1 /* of\ntwo lines */ + 2\nA") == "1 + 2");
  CHECK(words_of("#define A 1 // one\nA") == "1");
  CHECK(words_of("  # define A\nA B") == "B");
  CHECK(words_of("#define A 1\n#define A 2\nA\n#undef A\nA") == "2 A");
  CHECK(words_of("#define A (1)\nA") == "( 1 )");
  CHECK(words_of("#define A 1\n\"A\" $A @A AA") == "A A A AA");
}

TEST_CASE("names within the tokens of others are put in where they are used, and a name within its own is left") {
  CHECK(words_of("#define A B + B\n#define B 2\nA") == "2 + 2");
  CHECK(words_of("#define A A + 1\nA") == "A + 1");
  CHECK(words_of("#define A B\n#define B A\nA B") == "A B");
  std::string twice = "#define A0 1\n", deep = "#define A0 1\n";
  for (int i = 1; i < 200; i++) {
    const std::string name = "#define A" + std::to_string(i), before = " A" + std::to_string(i - 1);
    if (i < 50) twice += name + before + before + "\n";
    deep += name + before + "\n";
  }
  CHECK(said(twice + "A49") == "program:51:1: #define makes this program too long for the kernel");
  CHECK(said(deep + "A199") == "program:201:1: #define nests this too deeply");
}

TEST_CASE("conditions hold of what is defined, and of numbers") {
  CHECK(words_of("#ifdef A\n1\n#else\n2\n#endif\n3") == "2 3");
  CHECK(words_of("#define A\n#ifdef A\n1\n#else\n2\n#endif") == "1");
  CHECK(words_of("#define A\n#ifndef A\n1\n#else\n2\n#endif") == "2");
  CHECK(words_of("#if 0\n1\n#define A\n#elif !defined(A)\n2\n#else\n3\n#endif") == "2");
  CHECK(words_of("#define A B\n#define B 5\n#if A\n1\n#elif 1\n2\n#endif") == "1");
  CHECK(words_of("#if A\n#if 1\n1\n#else\n2\n#endif\n#elif ! !defined BPFTRACE_HAVE_BTF\n3\n#endif") == "3");
}

TEST_CASE("directives that cannot be obeyed are refused") {
  CHECK(said("1\n#define F(x) 1").starts_with("program:2:9: #define takes no parameters here; macro F($x) { ... }"));
  CHECK(said("#define 1") == "program:1:9: expected a name after #define");
  CHECK(said("#undef\nA") == "program:1:2: expected a name after #undef");
  CHECK(said("#pragma once") == "program:1:1: strata run does not know #pragma");
  CHECK(said("#if 0\n#pragma once\n") == "program:1:2: this condition has no #endif");
  CHECK(said("#else") == "program:1:2: there is no #if before this #else");
  CHECK(said("#if 0\n#else\n#elif 1") == "program:3:2: this condition has an #else already");
  CHECK(said("#if A > 5\n#endif") == "program:1:5: #if takes a number, NAME or defined(NAME) here");
}

}  // namespace strata::expr
