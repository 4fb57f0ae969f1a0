// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The fields of profile.proto, by their numbers, of a profile with two stacks.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "base/test.h"
#include "render/sink.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {
    {.key = "samples", .title = "SAMPLES"},
    {.key = "comm", .title = "COMM"},
    {.key = "stack", .title = "STACK", .unit = Unit::kStack},
};

// "field=number" or "field=bytes" for each field of a message.
std::vector<std::string> fields_of(std::string_view message) {
  std::vector<std::string> fields;
  const auto varint = [&] {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      REQUIRE_FALSE(message.empty());
      const auto byte = static_cast<uint8_t>(message.front());
      message.remove_prefix(1);
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  };
  while (!message.empty()) {
    const uint64_t key = varint(), value = varint();
    if ((key & 7) == 0) {
      fields.push_back(std::to_string(key >> 3) + "=" + std::to_string(value));
    } else {
      REQUIRE((key & 7) == 2);
      REQUIRE(value <= message.size());
      fields.push_back(std::to_string(key >> 3) + "=" + std::string(message.substr(0, value)));
      message.remove_prefix(value);
    }
  }
  return fields;
}

std::vector<std::string> profile() {
  char name[] = "/tmp/pprof_test.XXXXXX";
  const Fd file(mkstemp(name));
  const OutputRequest request = {.format = "pprof", .file = name};
  Outputs outputs({&request, 1});
  const RunInfo info = {
      .head = {.clocks = {.monotonic_ns = 0, .realtime_ns = 5000}}, .columns = kColumns, .sample_ns = 20'000'000};
  outputs.put(info);
  Table table = {.columns = kColumns, .from_ns = 100, .to_ns = 400, .rows = {}, .weight = 0};
  table.rows = {{uint64_t{300}, std::string("a"), std::string("f\nmain")}, {uint64_t{1}, std::string("a"), Value()}};
  outputs.put(table);
  outputs.close(EndReason::kDone);
  FILE *const in = popen((std::string("gzip -dc <") + name).c_str(), "r");
  REQUIRE(in != nullptr);
  std::string text(4096, '\0');
  text.resize(fread(text.data(), 1, text.size(), in));
  CHECK(pclose(in) == 0);
  unlink(name);
  return fields_of(text);
}

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

}  // namespace

TEST_CASE("a profile of pprof has its fields") {
  const std::vector<std::string> fields = profile();
  std::vector<std::string> strings;
  for (const std::string &field : fields)
    if (field.starts_with("6=")) strings.push_back(field.substr(2));
  REQUIRE(strings == std::vector<std::string>{"", "samples", "count", "cpu", "nanoseconds", "f", "main", "comm", "a"});
  const auto has = [&](const std::string &field) { return std::count(fields.begin(), fields.end(), field); };
  CHECK(has("1=" + bytes({8, 1, 16, 2})) == 1);        // sample_type: samples, count
  CHECK(has("1=" + bytes({8, 3, 16, 4})) == 1);        // cpu, nanoseconds
  CHECK(has("11=" + bytes({8, 3, 16, 4})) == 1);       // period_type
  CHECK(has("12=20000000") == 1);                      // period
  CHECK(has("9=5100") == 1);                           // time_nanos
  CHECK(has("10=300") == 1);                           // duration_nanos
  CHECK(has("5=" + bytes({8, 1, 16, 5})) == 1);        // function 1: f
  CHECK(has("4=" + bytes({8, 1, 34, 2, 8, 1})) == 1);  // location 1: a line of function 1
  // location_id 1, 2; value 300, 6,000,000,000; label comm=a
  CHECK(has("2=" + bytes({10, 2, 1, 2, 18, 7, 172, 2, 128, 248, 130, 173, 22, 26, 4, 8, 7, 16, 8})) == 1);
  // no location; value 1, 20,000,000
  CHECK(has("2=" + bytes({18, 5, 1, 128, 218, 196, 9, 26, 4, 8, 7, 16, 8})) == 1);
}

}  // namespace strata
