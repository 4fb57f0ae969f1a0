// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/record.h"

#include "base/test.h"

namespace strata {
namespace {

struct Example {
  uint64_t wide;
  int32_t result;
  uint32_t narrow;
  char comm[16];
};

constexpr Field kFields[] = {
    {STORED(Example, comm), .key = "comm", .title = "COMM", .help = "its name"},
    {STORED(Example, wide), .optional = true, .key = "wide", .title = "WIDE", .help = "a number"},
    {STORED(Example, result), .key = "result", .title = "RESULT", .help = "another"},
    {STORED_AS("small", Example, narrow)},
    {COMPUTED([](const Example &e) { return if_known(e.narrow != 0, e.narrow / 2); }), .key = "half", .title = "HALF",
     .help = "of narrow"},
};
constexpr RecordType kExample = record_type<Example>("example", kFields);

std::string mistake_in(std::vector<Field> fields, size_t size = sizeof(Example)) {
  try {
    for (const Field &field : fields) check_field(field);
    check_names(fields);
    check_covers(fields, size);
  } catch (const char *what) {
    return what;
  }
  return "";
}

std::vector<Field> with(size_t field, void (*change)(Field &)) {
  std::vector<Field> fields(std::begin(kFields), std::end(kFields));
  change(fields[field]);
  return fields;
}

constexpr Field kComputed[] = {
    {STORED(Example, result), COMPUTED([](int64_t result) { return -result; }), .key = "negated", .title = "NEGATED",
     .help = "of a signed number"},
    {STORED(Example, narrow), .optional = true, COMPUTED([](uint64_t narrow) { return narrow + 1; }), .key = "next",
     .title = "NEXT", .help = "of an unsigned one"},
    {STORED(Example, wide),
     COMPUTED([](char *out, uint64_t number) { return *out = number > UINT32_MAX ? 'w' : 'n', out + 1; }),
     .key = "letter", .title = "LETTER", .help = "of a wide one"},
    {STORED(Example, comm), SHOWN_IF([](const Example &e) { return e.result != 0; }), .key = "comm", .title = "COMM",
     .help = "unless the result is 0"},
};

Row row_of_example(const Example &example, std::span<const Field> fields = kFields) {
  const std::vector<Field> columns = columns_of(fields);
  alignas(8) static char nobody[8];  // no column of this table asks for a name
  return row_of(columns, {.data = &example, .resolver = reinterpret_cast<Resolver &>(nobody)});
}

}  // namespace

TEST_CASE("a record's values are those of its columns, in their order") {
  const Row row = row_of_example({.wide = 5, .result = -2, .narrow = 8, .comm = "dd"});
  CHECK(row == Row{std::string("dd"), uint64_t{5}, int64_t{-2}, uint64_t{4}});
  CHECK(row_of_example({}) == Row{std::string(), Value(), int64_t{0}, Value()});
}

TEST_CASE("a column is computed of the stored number alone, whatever its width and sign") {
  const Row row = row_of_example({.wide = 1ULL << 40, .result = -2, .narrow = UINT32_MAX, .comm = "dd"}, kComputed);
  CHECK(row == Row{int64_t{2}, (1ULL << 32), std::string("w"), std::string("dd")});
  CHECK(row_of_example({}, kComputed) == Row{int64_t{0}, Value(), std::string("n"), Value()});
}

TEST_CASE("the last text of a record may end early, and only that") {
  CHECK(kExample.min_size == offsetof(Example, comm) + 1);
  CHECK(kExample.size == sizeof(Example));
}

TEST_CASE("rows are sorted by number from the greatest, by text from A, and what is nothing comes last") {
  const auto first = [](Value a, Value b) { return comes_first(a, b) && !comes_first(b, a); };
  CHECK(first(uint64_t{2}, uint64_t{1}));
  CHECK(first(std::string("a"), std::string("b")));
  for (const Value &some : {Value(uint64_t{0}), Value(int64_t{-1}), Value(std::string("z"))}) {
    CHECK(first(some, Value()));
    CHECK(first(some, std::string()));
  }
  CHECK(!comes_first(Value(), Value()));
  CHECK(!comes_first(Value(), std::string()));
  CHECK(!comes_first(std::string(), Value()));
}

// What record_type() throws at compile time.
TEST_CASE("a table that does not describe its record is refused") {
  CHECK(mistake_in({std::begin(kFields), std::end(kFields)}).empty());
  std::vector<Field> fields(std::begin(kFields), std::end(kFields));
  fields.erase(fields.begin() + 3);
  CHECK(mistake_in(fields) == "a member of the record is missing in its table, or too large");
  CHECK(mistake_in(with(3, [](Field &f) { f.offset -= 4; })) == "two fields overlap");
  CHECK(mistake_in(with(3, [](Field &f) { f.bytes = 2; })) == "a stored number has 4 or 8 bytes");
  CHECK(mistake_in(with(3, [](Field &f) { f.name = "wide"; })) == "two fields have one name");
  CHECK(mistake_in(with(3, [](Field &f) { f.name = {}; })) == "a field is neither stored nor shown");
  CHECK(mistake_in(with(1, [](Field &f) { f.key = "comm"; })) == "two columns have one key");
  CHECK(mistake_in(with(1, [](Field &f) { f.title = {}; })) == "a column has no title");
  CHECK(mistake_in(with(1, [](Field &f) { f.help = {}; })) == "a column has no help");
  CHECK(mistake_in(with(4, [](Field &f) { f.decode = {}; })) == "nothing computes a column");
  CHECK(mistake_in(with(1, [](Field &f) { f.key = {}; })) == "a column has no key");
  CHECK(mistake_in(with(4, [](Field &f) { f.decode.of = Decode::Of::kStored; })) ==
        "a column of a stored value stores none");
  CHECK(mistake_in(with(0, [](Field &f) { f.decode.of = Decode::Of::kNumber; })) ==
        "a column of a number stores a text");
  CHECK(!mistake_in({std::begin(kFields), std::end(kFields)}, sizeof(Example) + 8).empty());
}

}  // namespace strata
