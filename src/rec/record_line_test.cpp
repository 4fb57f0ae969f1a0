// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/record_line.h"

#include <cstddef>
#include <cstring>
#include <random>

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

struct Example {
  uint64_t wide;
  int64_t result;
  uint32_t narrow;
  char comm[4];
};

constexpr Field kFields[] = {
    {STORED(Example, wide)}, {STORED(Example, result)}, {STORED(Example, narrow)}, {STORED(Example, comm)}};
constexpr RecordType kExample = record_type<Example>("example", kFields);
constexpr const RecordType *kRecords[] = {&kExample};

Example example_of(std::string_view line) {
  const std::optional<Record> record = from_line(kRecords, line);
  REQUIRE(record);
  REQUIRE(record->type == &kExample);
  REQUIRE(record->bytes.size() == sizeof(Example));
  Example example;
  memcpy(&example, record->bytes.data(), sizeof(example));
  return example;
}

std::string error_of(std::string_view line) {
  try {
    from_line(kRecords, line);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a record is a line that a person can read") {
  const Example example = {.wide = 812, .result = -5, .narrow = 0, .comm = {'d', 'd'}};
  CHECK(to_line(kExample, &example, sizeof(example)) == "example wide=812 result=-5 comm=dd");
  const Example zero = {};
  CHECK(to_line(kExample, &zero, sizeof(zero)) == "example");
}

TEST_CASE("text is one word, whatever bytes it has") {
  const Example example = {.wide = 0, .result = 0, .narrow = 0, .comm = {' ', '\0', '\xff', '%'}};
  CHECK(to_line(kExample, &example, sizeof(example)) == "example comm=%20%00%ff%25");
  CHECK(memcmp(example_of("example comm=%20%00%ff%25").comm, example.comm, 4) == 0);
  CHECK(memcmp(example_of("example comm=a=b").comm, "a=b", 4) == 0);
}

TEST_CASE("the last text of a record may end with the record") {
  const Example example = {.wide = 1, .result = 0, .narrow = 0, .comm = {'l', 's', 'o', 'f'}};
  CHECK(to_line(kExample, &example, offsetof(Example, comm) + 2) == "example wide=1 comm=ls");
  CHECK(to_line(kExample, &example, offsetof(Example, comm)) == "example wide=1");
}

TEST_CASE("any record comes back from its line as it was") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 5'000; ++i) {
    Example example = {.wide = random() >> random() % 64,
                       .result = static_cast<int64_t>(random()) >> random() % 64,
                       .narrow = static_cast<uint32_t>(random() >> random() % 64),
                       .comm = {}};
    for (char &c : example.comm) c = static_cast<char>(random() >> random() % 64);
    const std::string line = to_line(kExample, &example, sizeof(example));
    INFO(line);
    REQUIRE(line.find_first_of("\n\r\t") == std::string::npos);
    const Example again = example_of(line);
    REQUIRE(memcmp(&again, &example, sizeof(example)) == 0);
  }
}

TEST_CASE("numbers are within their field") {
  CHECK(example_of("example wide=18446744073709551615").wide == UINT64_MAX);
  CHECK(example_of("example narrow=4294967295").narrow == UINT32_MAX);
  CHECK(example_of("example result=-9223372036854775808").result == INT64_MIN);
  for (const char *bad : {"wide=18446744073709551616", "narrow=4294967296", "result=9223372036854775808", "wide=-1",
                          "wide=", "wide=1x", "wide=0x1", "wide= 1", "wide=+1"}) {
    INFO(bad);
    CHECK_FALSE(error_of(std::string("example ") + bad).empty());
  }
}

TEST_CASE("a line that is no record is refused, and says why safely") {
  CHECK_FALSE(from_line(kRecords, ""));
  CHECK_FALSE(from_line(kRecords, "other wide=1"));
  CHECK(error_of("example wide").find("'wide'") != std::string::npos);
  CHECK(example_of("example size=1 wide=2").wide == 2);
  CHECK(error_of("example \x1b[31m=1").find('\x1b') == std::string::npos);
  CHECK(error_of("example comm=abcde").find("too long") != std::string::npos);
  for (const char *escape : {"%", "%4", "%zz", "%4z", "% 1", "%+1", "%-1"}) {
    INFO(escape);
    CHECK_FALSE(error_of(std::string("example comm=") + escape).empty());
  }
}

}  // namespace strata
