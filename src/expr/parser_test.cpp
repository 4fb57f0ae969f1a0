// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/parser.h"

#include "base/test.h"

namespace strata::expr {
namespace {

Program program_of(const std::string &text, std::vector<std::string> parameters = {}) {
  return parse({"program", text}, parameters);
}

// With all of its parentheses.
std::string shown(const Expression &e) {
  using Kind = Expression::Kind;
  const auto part = [&](size_t i) { return shown(*e.parts.at(i)); };
  switch (e.kind) {
    case Kind::kNumber:
      return std::to_string(e.number);
    case Kind::kString:
      return '"' + e.text + '"';
    case Kind::kVariable:
      return '$' + e.text;
    case Kind::kMap:
      return '@' + e.text;
    case Kind::kField:
      return part(0) + '.' + e.text;
    case Kind::kIndex:
      return part(0) + '[' + part(1) + ']';
    case Kind::kUnary:
      return '(' + e.text + part(0) + ')';
    case Kind::kBinary:
      return '(' + part(0) + e.text + part(1) + ')';
    case Kind::kChoice:
      return '(' + part(0) + '?' + part(1) + ':' + part(2) + ')';
    case Kind::kCast:
      return "((" + e.type_name.name + std::string(e.type_name.pointers, '*') + ')' + part(0) + ')';
    default:
      return e.text;
  }
}

std::string value(const std::string &text) {
  const Program program = program_of("begin { $x = " + text + " }");
  return shown(*program.probes.at(0).body.at(0).value);
}

}  // namespace

TEST_CASE("operators bind as those of C do") {
  CHECK(value("1 + 2 * 3 - 4") == "((1+(2*3))-4)");
  CHECK(value("a & b == c") == "(a&(b==c))");
  CHECK(value("a || b && c | d ^ e & f") == "(a||(b&&(c|(d^(e&f)))))");
  CHECK(value("a << 1 + 2 < 3") == "((a<<(1+2))<3)");
  CHECK(value("-a * !b") == "((-a)*(!b))");
  CHECK(value("a ? b : c ? d : e") == "(a?b:(c?d:e))");
  CHECK(value("*p->q[1].r") == "(*p.q[1].r)");
  CHECK(value("(uint8)a + 1") == "(((uint8)a)+1)");
  CHECK(value("((struct sock *)arg0)->x") == "((struct sock*)arg0).x");
  CHECK(value("(a) + 1") == "(a+1)");
}

TEST_CASE("kinds of probes by their short names, several places, and words with signs in them") {
  const Program program =
      program_of("k:vfs_*, kr:vfs_[rw]* { } t:sched:sched_switch { } u:/bin/a-b.so.6:f { } p:hz:99 { } BEGIN { }");
  REQUIRE(program.probes.size() == 5);
  REQUIRE(program.probes[0].places.size() == 2);
  CHECK(program.probes[0].places[0].kind == "kprobe");
  CHECK(program.probes[0].places[0].words == std::vector<std::string>{"vfs_*"});
  CHECK(program.probes[0].places[1].kind == "kretprobe");
  CHECK(program.probes[0].places[1].words == std::vector<std::string>{"vfs_[rw]*"});
  CHECK(program.probes[1].places[0].words == std::vector<std::string>{"sched", "sched_switch"});
  CHECK(program.probes[2].places[0].words == std::vector<std::string>{"/bin/a-b.so.6", "f"});
  CHECK(program.probes[3].places[0].words == std::vector<std::string>{"hz", "99"});
  CHECK(program.probes[4].places[0].kind == "begin");
}

TEST_CASE("a predicate ends at the / before the block, and divides before that") {
  const Program program = program_of("k:f /arg0 / 2 == 1/ { } k:g { }");
  REQUIRE(program.probes.size() == 2);
  REQUIRE(program.probes[0].predicate != nullptr);
  CHECK(shown(*program.probes[0].predicate) == "((arg0/2)==1)");
  CHECK(program.probes[1].predicate == nullptr);
}

TEST_CASE("arguments are numbers, within str() text, and parts of places") {
  const Program program = program_of("p:hz:$1 { $x = $1; $y = str($1); $z = $2; $n = $#; $none = $9 }", {"99", "word"});
  const Block &body = program.probes.at(0).body;
  CHECK(program.probes[0].places[0].words.at(1) == "99");
  CHECK(shown(*body.at(0).value) == "99");
  CHECK(shown(*body.at(1).value->parts.at(0)) == "\"99\"");
  CHECK(shown(*body.at(2).value) == "\"word\"");
  CHECK(shown(*body.at(3).value) == "2");
  CHECK(shown(*body.at(4).value) == "0");
}

TEST_CASE("includes mean nothing, and conditions hold of BPFTRACE_HAVE_BTF alone") {
  const Program program = program_of(
      "#include <linux/sched.h>\n"
      "#ifdef BPFTRACE_HAVE_BTF\nk:a { }\n#else\nk:b { }\n#endif\n"
      "#ifndef BPFTRACE_HAVE_BTF\nk:c { }\n#endif\nk:d { }");
  REQUIRE(program.probes.size() == 2);
  CHECK(program.probes[0].places[0].words.at(0) == "a");
  CHECK(program.probes[1].places[0].words.at(0) == "d");
}

TEST_CASE("what is wrong with the tokens of a #define is said of its use; words of places are none") {
  const Program program = program_of("#define vfs_read 1 2\n#define LEAST (1 + 2)\nk:vfs_read /arg0 > LEAST * 2/ { }");
  CHECK(program.probes.at(0).places.at(0).words == std::vector<std::string>{"vfs_read"});
  CHECK(shown(*program.probes[0].predicate) == "(arg0>((1+2)*2))");
  CHECK_THROWS_WITH(program_of("#define BAD 1 +\nbegin { $x = BAD; }"),
                    "program:2:17: expected a value, not ';'\nbegin { $x = BAD; }\n                ^");
  CHECK_THROWS_WITH(program_of("#define BAD ] 1\nbegin { $x = BAD; }"),
                    "program:2:14: expected a value, not 'BAD'\nbegin { $x = BAD; }\n             ^^^");
}

TEST_CASE("ply's methods are assignments") {
  const Program program = program_of("k:f { @[1].count(); @h.quantize(arg0) }");
  const Block &body = program.probes.at(0).body;
  CHECK(body.at(0).kind == Statement::Kind::kAssign);
  CHECK(body.at(0).value->text == "count");
  CHECK(body.at(1).value->text == "hist");
}

TEST_CASE("a map is declared with how many keys it has") {
  const Program program = program_of("let @a = lruhash(100); let @b = hash(10); begin { }");
  REQUIRE(program.maps.size() == 2);
  CHECK((program.maps[0].name == "a" && program.maps[0].kind == "lruhash" && program.maps[0].keys == 100));
  CHECK((program.maps[1].name == "b" && program.maps[1].kind == "hash" && program.maps[1].keys == 10));
}

TEST_CASE("enumerators count from the one before, and are made of those before them") {
  const Program program = program_of(
      "enum a { ZERO, THREE = 3, FOUR, }; enum { TEN = THREE + 7, BITS = 1 << TEN | ZERO, LESS = -1, NONE } begin { }");
  REQUIRE(program.enums.size() == 2);
  using Values = std::vector<std::pair<std::string, uint64_t>>;
  CHECK((program.enums[0].name == "a" && program.enums[1].name == "#2"));
  CHECK(program.enums[0].enumerators == Values{{"ZERO", 0}, {"THREE", 3}, {"FOUR", 4}});
  CHECK(program.enums[1].enumerators == Values{{"TEN", 10}, {"BITS", 1024}, {"LESS", UINT64_MAX}, {"NONE", 0}});
}

TEST_CASE("structs and settings stand before the probes") {
  const Program program =
      program_of("config = { max_strlen = 128; } struct pair { int a, *b; char c[8]; int d : 3; } begin { }");
  REQUIRE(program.settings.size() == 1);
  CHECK((program.settings[0].name == "max_strlen" && program.settings[0].text == "128"));
  REQUIRE(program.structs.size() == 1);
  const auto &members = program.structs[0].members;
  REQUIRE(members.size() == 4);
  CHECK((members[0].name == "a" && members[0].type.pointers == 0));
  CHECK((members[1].name == "b" && members[1].type.pointers == 1));
  CHECK(members[2].type.counts == std::vector<uint64_t>{8});
  CHECK(members[3].bits == 3);
}

TEST_CASE("what is defined within a struct stands before it, and without a name its members are the struct's") {
  const Program program = program_of(
      "struct out { struct in { int a; } one, *two; union { int b; char c[2 * 2]; }; struct { int d; } three[2];\n"
      "enum { LAST = 7 } e; int *f, g; char h[LAST]; struct out *next; } __attribute__((packed)); begin { }");
  REQUIRE(program.structs.size() == 4);
  CHECK((program.structs[0].name == "struct in" && program.structs[1].name == "union #1"));
  CHECK((program.structs[2].name == "struct #2" && !program.structs[2].packed));
  const StructDefinition &out = program.structs[3];
  CHECK((out.name == "struct out" && out.packed));
  std::string all;
  for (const StructDefinition::Member &one : out.members)
    all += one.type.name + std::string(one.type.pointers, '*') + " " + one.name +
           (one.type.counts.empty() ? "" : "[" + std::to_string(one.type.counts[0]) + "]") + "; ";
  CHECK(all ==
        "struct in one; struct in* two; union #1 ; struct #2 three[2]; enum #1 e; int* f; int g; char h[7]; "
        "struct out* next; ");
}

}  // namespace strata::expr
