// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/macros.h"

#include "base/error.h"
#include "base/test.h"
#include "expr/parser.h"

namespace strata::expr {
namespace {

Program program_of(const std::string &text) { return parse(Source("program", text), {}); }

std::string said(const std::string &text) {
  try {
    program_of(text);
  } catch (const Error &error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

}  // namespace

TEST_CASE("a macro whose body is one expression is that expression, of what it was given") {
  const Program program = program_of("macro add(x, y) { x + y } begin { $a = add(1, add(2, 3)); }");
  const Expression &sum = *program.probes.at(0).body.at(0).value;
  REQUIRE(sum.kind == Expression::Kind::kBinary);
  CHECK(sum.parts.at(0)->number == 1);
  REQUIRE(sum.parts.at(1)->kind == Expression::Kind::kBinary);
  CHECK(sum.parts.at(1)->parts.at(1)->number == 3);
}

TEST_CASE("a macro's own variables are others at each use, and those that it is given are the caller's") {
  const Program program =
      program_of("macro m($a, @b, k) { $t = k; $a = $t; @b[k] = $t; } begin { $x = 1; m($x, @y, 5); m($x, @y, 6); }");
  const Block &body = program.probes.at(0).body;
  REQUIRE(body.size() == 3);
  const Block &first = body[1].body, &second = body[2].body;
  REQUIRE(first.size() == 3);
  CHECK((first[0].target->scope != 0 && first[0].target->scope == first[1].value->scope));
  CHECK(first[0].target->scope != second[0].target->scope);
  CHECK((first[1].target->text == "x" && first[1].target->scope == 0));
  CHECK((first[2].target->text == "y" && first[2].target->parts.at(0)->number == 5));
}

TEST_CASE("a macro that only reads its $x may be given any value, which stands wherever $x does") {
  const Program program = program_of("macro twice($x) { $x + $x } begin { $a = 2; print(twice(twice($a))); }");
  const Expression &sum = *program.probes.at(0).body.at(1).value->parts.at(0);
  REQUIRE(sum.kind == Expression::Kind::kBinary);
  for (const ExpressionPtr &part : sum.parts) {
    REQUIRE(part->kind == Expression::Kind::kBinary);
    CHECK(part->parts.at(0)->text == "a");
  }
}

TEST_CASE("a macro that cannot be used so is refused at its use") {
  CHECK(said("macro m() { @x++ } begin { m(); }") == "program:1:28: macro m uses @x, which it has to be given: m(@x)");
  CHECK(said("macro m($x) { $x++ } begin { m(1 + 1); }") ==
        "program:1:32: macro m gives $x a value: it takes a variable here");
  CHECK(said("macro m($x) { $x += 1; } begin { m(7); }").find("it takes a variable here") != std::string::npos);
  CHECK(said("macro m(@x) { @x++ } begin { m(@y[1]); }") == "program:1:32: macro m takes a map here, as @x");
  CHECK(said("macro m(x) { x } begin { m(); }") == "program:1:26: macro m takes 1 argument, and here are 0");
  CHECK(said("macro m(x) { $y = x; } begin { print(m(1)); }").find("has no value") != std::string::npos);
  CHECK(said("macro m(x + 1) { x } begin { }") == "program:1:9: a parameter of a macro is $name, @name or a name");
  CHECK(said("macro m() { 1 } macro m() { 2 } begin { }") == "program:1:23: macro m is there twice");
}

TEST_CASE("macros that never end, or double at each step, are refused") {
  CHECK(said("macro a() { b() } macro b() { a() } begin { print(a()); }").find("comes to itself") != std::string::npos);
  CHECK(said("macro a() { a(); a(); } begin { a(); }").find("comes to itself") != std::string::npos);
  std::string nested = "1";
  for (int i = 0; i < 40; i++) nested = "m(" + nested + ")";
  const std::string deep = std::string(100, '-') + "x";
  CHECK(said("macro m(x) { " + deep + " } begin { print(" + nested + "); }").find("too deeply") != std::string::npos);
  std::string doubling = "macro m0(x) { x + x } ";
  for (int i = 1; i < 40; i++) {
    const std::string before = "m" + std::to_string(i - 1);
    doubling += "macro m" + std::to_string(i) + "(x) { " + before + "(" + before + "(x)) } ";
  }
  CHECK(said(doubling + "begin { print(m39(1)); }").find("too long for the kernel") != std::string::npos);
}

}  // namespace strata::expr
