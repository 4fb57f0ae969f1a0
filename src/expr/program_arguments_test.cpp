// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/program_arguments.h"

#include <bpf/btf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "base/test.h"
#include "base/text.h"
#include "expr/compile.h"
#include "expr/parser.h"
#include "expr/uses.h"

namespace strata::expr {
namespace {

struct Named {
  const char *name;
  int type;
};

// The types of a program, whose functions are added to them.
class Made {
 public:
  Made() : types_(btf__new_empty(), btf__free) {
    number = btf__add_int(get(), "int", 4, BTF_INT_SIGNED);
    letter = btf__add_int(get(), "char", 1, BTF_INT_SIGNED);
    wide = btf__add_float(get(), "long double", 16);
    decimal = btf__add_float(get(), "double", 8);
    text = btf__add_ptr(get(), btf__add_const(get(), letter));
    pair = record("pair", 8, {{"x", number}, {"y", number}});
    mixed = record("mixed", 16, {{"d", decimal}, {"n", number}});
    large = record("large", 24, {{"a", text}, {"b", text}, {"c", text}});
    vector = record("vector", 24, {{"x", decimal}, {"y", decimal}, {"z", decimal}});
    both = record("both", 24, {{"x", decimal}, {"y", decimal}, {"n", text}});
    huge = btf__add_int(get(), "__int128", 16, BTF_INT_SIGNED);
    empty = record("empty", 1, {});
    color = btf__add_enum(get(), "color", 4);
    btf__add_enum_value(get(), "RED", 1);
    btf__add_enum_value(get(), "BLUE", -7);
    pointer = btf__add_ptr(get(), large);
  }

  int record(const char *name, uint32_t bytes, const std::vector<Named> &fields) {
    const int made = btf__add_struct(get(), name, bytes);
    uint32_t bit = 0;
    for (const Named &one : fields) {
      btf__add_field(get(), one.name, one.type, bit, 0);
      bit += one.type == number ? 32 : 64;
    }
    return made;
  }

  void function(const char *address, const std::vector<Named> &parameters) {
    const int prototype = btf__add_func_proto(get(), 0);
    for (const Named &one : parameters) btf__add_func_param(get(), one.name, one.type);
    btf__add_func(get(), address, BTF_FUNC_GLOBAL, prototype);
  }

  std::unique_ptr<BtfFile> file() {
    uint32_t size = 0;
    const void *bytes = btf__raw_data(get(), &size);
    Fd made(memfd_create("types", MFD_CLOEXEC));
    REQUIRE(write(made.get(), bytes, size) == static_cast<ssize_t>(size));
    return BtfFile::open(std::move(made));
  }

  btf *get() { return types_.get(); }
  int number, letter, wide, decimal, text, pair, mixed, large, vector, both, huge, empty, color, pointer;

 private:
  std::unique_ptr<btf, decltype(&btf__free)> types_;
};

// "n=0 text=1", with - for what cannot be read.
std::string places(Made &made, const std::vector<Named> &parameters, Convention convention = Convention::kX86) {
  made.function("0x1000", parameters);
  const auto file = made.file();
  Types types([](const std::string &, uint32_t) { return BtfType{}; });
  types.look_into(file.get());
  const auto arguments = program_arguments(types, *file, "0x1000", convention);
  REQUIRE(arguments);
  std::string all;
  for (const ProgramArgument &one : *arguments)
    all += (all.empty() ? "" : " ") + one.name + "=" + (one.why_not.empty() ? std::to_string(one.place) : "-");
  return all;
}

std::string said(const BtfFile &file, Types &types, const std::string &text) {
  const Source source("program", text);
  Program program = parse(source, {});
  Target target = {.kind = "uprobe", .title = "uprobe:p:f", .name = "f"};
  target.program = &file;
  target.why_no_arguments = "there is no DWARF";
  const auto arguments = program_arguments(types, file, "0x1000");
  for (const ProgramArgument &one : *arguments) {
    if (one.why_not.empty())
      target.arguments.push_back({.name = one.name, .type = one.type, .offset = one.place});
    else
      target.unreadable.emplace(one.name, one.why_not);
  }
  try {
    compile(source, program, {{target}}, types, {}, {.string_most = 62});
  } catch (const Error &error) {
    return std::string(split(error.what(), '\n').front());
  }
  return "";
}

}  // namespace

TEST_CASE("numbers and pointers are in six registers, and then on the stack, a word each") {
  Made made;
  const int n = made.number;
  CHECK(places(made, {{"a", n}, {"b", made.text}, {"c", made.color}, {"d", made.letter}}) == "a=0 b=1 c=2 d=3");
  Made more;
  CHECK(places(more, {{"a", n}, {"b", n}, {"c", n}, {"d", n}, {"e", n}, {"f", n}, {"g", n}, {"h", more.text}}) ==
        "a=0 b=1 c=2 d=3 e=4 f=5 g=6 h=7");
}

TEST_CASE("what is in registers of floats takes none of the others") {
  Made made;
  CHECK(places(made, {{"a", made.decimal}, {"b", made.number}, {"c", made.mixed}, {"d", made.number}}) ==
        "a=- b=0 c=- d=2");
}

TEST_CASE("structs are in registers as they fit, and else on the stack") {
  Made made;
  const int n = made.number;
  CHECK(places(made, {{"p", made.pair}, {"l", made.large}, {"a", n}, {"none", made.empty}, {"b", n}}) ==
        "p=- l=6 a=1 none=- b=2");
  Made full;  // the struct goes to the stack as a whole, and what is behind it takes the last register
  CHECK(places(full, {{"l", full.large},
                      {"x", full.wide},
                      {"a", n},
                      {"b", n},
                      {"c", n},
                      {"d", n},
                      {"e", n},
                      {"f", n},
                      {"p", full.pair},
                      {"g", n}}) == "l=6 x=- a=0 b=1 c=2 d=3 e=4 f=5 p=12 g=13");
}

TEST_CASE("an argument without a name is there, and not shown") {
  Made made;
  CHECK(places(made, {{nullptr, made.text}, {"a", made.number}}) == "a=1");
}

TEST_CASE("arm64 has eight registers, floats apart, and large structs by their address") {
  const auto at = [](const std::vector<Named> &parameters) {
    Made made;
    return places(made, parameters, Convention::kArm64);
  };
  const Made of;  // the same numbers of types in each
  const int n = of.number;
  CHECK(
      at({{"a", n}, {"b", n}, {"c", n}, {"d", n}, {"e", n}, {"f", n}, {"g", n}, {"h", of.text}, {"i", n}, {"j", n}}) ==
      "a=0 b=1 c=2 d=3 e=4 f=5 g=6 h=7 i=8 j=9");
  CHECK(at({{"a", of.decimal}, {"b", n}, {"c", of.mixed}, {"d", n}, {"x", of.wide}, {"e", n}}) ==
        "a=- b=0 c=- d=3 x=- e=4");
  CHECK(at({{"p", of.pair}, {"l", of.large}, {"a", n}, {"none", of.empty}, {"b", n}}) == "p=- l=1 a=2 none=- b=4");
  CHECK(at({{"v", of.vector},
            {"a", n},
            {"w", of.vector},
            {"x", of.vector},
            {"d", of.decimal},
            {"b", n},
            {"y", of.both}}) == "v=- a=0 w=- x=8 d=- b=1 y=2");
}

TEST_CASE("arm64: behind what found no register all of its kind is on the stack, wide numbers at a multiple of 16") {
  const auto at = [](const std::vector<Named> &parameters) {
    Made made;
    return places(made, parameters, Convention::kArm64);
  };
  const Made of;
  const int n = of.number;
  CHECK(at({{"a", n}, {"i", of.huge}, {"b", n}}) == "a=0 i=- b=4");
  CHECK(at({{"a", n}, {"b", n}, {"c", n}, {"d", n}, {"e", n}, {"f", n}, {"g", n}, {"m", of.mixed}, {"h", n}}) ==
        "a=0 b=1 c=2 d=3 e=4 f=5 g=6 m=8 h=10");
  CHECK(at({{"v", of.vector}, {"w", of.vector}, {"x", of.vector}, {"d", of.decimal}, {"a", n}, {"y", of.pair}}) ==
        "v=- w=- x=8 d=- a=0 y=-");
}

TEST_CASE("types are declared as C declares them") {
  Made made;
  btf *types = made.get();
  const int fixed = btf__add_const(types, made.text), two = btf__add_ptr(types, made.text);
  const int function = btf__add_ptr(types, btf__add_func_proto(types, 0));
  const int array = btf__add_array(types, made.number, made.pointer, 3);
  const auto file = made.file();
  const auto declared = [&](int id) { return declared_type(*file, static_cast<uint32_t>(id)); };
  CHECK(declared(0) == "void");
  CHECK(declared(made.number) == "int");
  CHECK(declared(made.text) == "const char *");
  CHECK(declared(fixed) == "const char * const");
  CHECK(declared(two) == "const char **");
  CHECK(declared(made.color) == "enum color");
  CHECK(declared(made.pointer) == "struct large *");
  CHECK(declared(array) == "struct large *[3]");
  CHECK(declared(function) == "void *");
}

TEST_CASE("a program's types go before the kernel's, and are seen by its probes alone") {
  Made made;
  const int n = made.number;
  made.function("0x1000", {{"n", n}, {"l", made.pointer}, {"c", made.color}, {"d", made.decimal}});
  const auto file = made.file();
  Types types([](const std::string &, uint32_t) { return BtfType{}; });
  const auto of = [&](const std::string &text) { return said(*file, types, text); };
  CHECK(of("u:p:f { print((args.n, args.l.a, args.c == BLUE)); print(args); }") == "");
  CHECK(of("u:p:f { print(((struct large *)arg1)->b); print((enum color)arg0); }") == "");
  CHECK(of("u:p:f { print(args.d); }").find("the argument 'd' cannot be read: it is in a register of") !=
        std::string::npos);
  CHECK(of("u:p:f { print(args.e); }").find("has no argument 'e'") != std::string::npos);
  CHECK(of("u:p:f { print(args.l.d); }").find("struct large has no field 'd'") != std::string::npos);
  CHECK(of("u:p:f { print(((struct other *)arg1)->b); }").find("unknown type 'struct other'") != std::string::npos);

  const auto type = types.named({.name = "struct large", .pointers = 1, .counts = {}});
  types.look_into(nullptr);
  CHECK(type.has_value());
  CHECK_FALSE(types.named({.name = "struct large", .pointers = 1, .counts = {}}).has_value());
}

TEST_CASE("enumerators are those of their own program") {
  Made one, other;
  btf__add_enum(other.get(), "state", 4);
  btf__add_enum_value(other.get(), "IDLE", 3);
  btf__add_enum(one.get(), "state", 4);
  btf__add_enum_value(one.get(), "BUSY", 3);
  const auto first = one.file(), second = other.file();
  Types types([](const std::string &, uint32_t) { return BtfType{}; });
  const auto name_of_three = [&](const BtfFile &file) {
    types.look_into(&file);
    const auto type = types.named({.name = "enum state", .pointers = 0, .counts = {}});
    REQUIRE(type);
    CHECK(name_of(*type) == "enum state");
    return types.names_of_enum(type->name).at(3);
  };
  CHECK(name_of_three(*first) == "BUSY");
  CHECK(name_of_three(*second) == "IDLE");
  CHECK(types.enumerator("IDLE"));
  CHECK_FALSE(types.enumerator("BUSY"));
  types.look_into(nullptr);
  CHECK_FALSE(types.enumerator("IDLE"));
}

TEST_CASE("a probe says what it wants to know of its program") {
  const auto uses = [](const std::string &text) {
    const Source source("program", text);
    return uses_of(parse(source, {}).probes.at(0));
  };
  CHECK_FALSE(uses("u:p:f { @[arg0] = count(); }").arguments);
  CHECK(uses("u:p:f /args.a == 1/ { @ = count(); }").arguments);
  CHECK(uses("u:p:f { if (1 == arg0) { while (1) { print((1, args)); } } }").arguments);
  CHECK(uses("u:p:f { $x = (struct a *)arg0; let $y: b; print(sizeof(struct c)); }").types ==
        std::set<std::string>{"struct a", "b", "struct c"});
}

}  // namespace strata::expr
