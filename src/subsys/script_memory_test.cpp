// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_memory.h"

#include <cstring>

#include "base/test.h"
#include "expr/parser.h"
#include "expr/types.h"

namespace strata {
namespace {

// Of the last struct that the text declares.
std::string shown(const std::string &structs, const void *memory, size_t size, const expr::Enums &enums = {}) {
  const expr::Source source("program", structs + " begin { }");
  const expr::Program program = expr::parse(source, {});
  expr::Types types([](const std::string &, uint32_t) { return BtfType{}; });
  types.define(program, source);
  const std::optional<expr::Type> type =
      types.named({.name = program.structs.back().name, .pointers = 0, .counts = {}});
  return text_of_datum(data_of_memory(type.value(), {static_cast<const std::byte *>(memory), size}, enums));
}

}  // namespace

TEST_CASE("a struct is shown with all that lies in it") {
  struct In {
    int y;
  };
  struct {
    long m = -1;
    In in = {2};
    char name[6] = {'a', 'b', '\n', 0, 'x', 'x'};
    bool yes = true;
    int8_t low = -3;
    In all[2] = {{4}, {5}};
    uint16_t n[3] = {1, 2, 65535};
    void *p = reinterpret_cast<void *>(0x10);
  } memory;
  const std::string text =
      "struct in { int y; }; struct out { long m; struct in in; char name[6]; bool yes; int8 low; struct in all[2]; "
      "u16 n[3]; void *p; }";
  CHECK(shown(text, &memory, sizeof(memory)) ==
        "{ .m = -1, .in = { .y = 2 }, .name = ab\\x0a, .yes = true, .low = -3, .all = [{ .y = 4 },{ .y = 5 }], "
        ".n = [1,2,65535], .p = 0x10 }");
  CHECK(shown("struct none { }", "", 0) == "{ }");
}

TEST_CASE("bit fields are the numbers that C takes them for") {
  const uint32_t memory[2] = {0xfffabcd1, 7};
  CHECK(shown("struct bits { u32 a:4; u32 b:16; int c:12; int d; }", memory, sizeof(memory)) ==
        "{ .a = 1, .b = 43981, .c = -1, .d = 7 }");
}

TEST_CASE("numbers of an enum have their names, and others none") {
  const int memory[4] = {3, 4, 3, 7};
  CHECK(shown("enum e { A = 3, B }; struct s { enum e one; enum e two; enum e list[2]; }", memory, sizeof(memory),
              {{"e", {{3, "A"}, {4, "B"}}}}) == "{ .one = A, .two = B, .list = [A,7] }");
}

TEST_CASE("bytes that are not there are zeros, and nothing is read behind them") {
  const std::vector<uint8_t> memory = {1, 2};
  CHECK(shown("struct s { int a; long b; char c[4]; int d[2]; }", memory.data(), memory.size()) ==
        "{ .a = 513, .b = 0, .c = , .d = [0,0] }");
}

TEST_CASE("fields of an unnamed union are as those beside it") {
  const auto inner =
      std::make_shared<expr::Record>(expr::Record{.size = 4,
                                                  .fields = {{.name = "low", .type = expr::int_type(1, false)},
                                                             {.name = "all", .type = expr::int_type(4, false)}}});
  const auto outer = std::make_shared<expr::Record>(expr::Record{
      .size = 8,
      .fields = {{.name = "a", .type = expr::int_type(4)},
                 {.name = "", .type = {.kind = expr::Type::Kind::kRecord, .size = 4, .record = inner}, .offset = 4},
                 {.name = "", .type = expr::int_type(4), .offset = 4}}});
  const uint32_t memory[2] = {1, 0x102};
  const Datum datum = data_of_memory({.kind = expr::Type::Kind::kRecord, .size = 8, .record = outer},
                                     std::as_bytes(std::span(memory)), {});
  CHECK(text_of_datum(datum) == "{ .a = 1, .low = 2, .all = 258 }");
  CHECK(std::get<Datum::Object>(datum.held).keys == std::vector<std::string>{"a", "low", "all"});
}

}  // namespace strata
