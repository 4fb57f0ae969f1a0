// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/gate_file.h"

#include <string>

#include "base/error.h"
#include "base/test.h"

namespace strata {
namespace {

TEST_CASE("a file has gates, and what is said once for all of them") {
  const GateFile file = parse_gate_file("ci/gates.toml", R"toml(
baseline = "b.json"
repeat = 3
least = 50

[[gate]]
name = "no shell"
that = 'execs(file ~ "/sh$") == 0'

[[gate]]
that = "p99(fsync) < 10ms"
least = 1_000
baseline = false

[[gate]]
name = "é"  # é
that = "p50(fsync)"
)toml");
  CHECK(file.baseline == "ci/b.json");
  CHECK(file.repeat == 3);
  REQUIRE(file.gates.size() == 3);
  CHECK(file.gates[0].name() == "no shell");
  CHECK(file.gates[0].compared());
  CHECK_FALSE(file.gates[1].compared());
  CHECK(file.gates[0].text() == "execs(file ~ \"/sh$\") == 0");
  CHECK(file.gates[0].rows() == "file ~ \"/sh$\"");
  CHECK(file.gates[1].name().empty());
  CHECK(file.gates[1].least_values() == 1000);
  CHECK(file.gates[2].least_values() == 50);
  CHECK(file.gates[2].name() == "é");
}

TEST_CASE("a file says nothing of what it does not have") {
  const GateFile file = parse_gate_file("gates.toml", "gate = [{that = 'opens'}, {that = 'p95(fsync)'}]");
  CHECK(file.baseline.empty());
  CHECK_FALSE(file.repeat);
  CHECK(file.gates[1].least_values() == 20);
  CHECK(parse_gate_file("gates.toml", "baseline = '/b'\n[[gate]]\nthat = 'opens'").baseline == "/b");
}

std::string refusal_of(const std::string &text) {
  try {
    parse_gate_file("g.toml", text);
  } catch (const Error &error) {
    return error.exit_status() == kUsageStatus ? error.what() : "another status";
  }
  return "taken";
}

TEST_CASE("what is refused is named with its place") {
  const auto begins = [](const std::string &text, const std::string &refusal) {
    INFO(text << " -> " << refusal_of(text));
    CHECK(refusal_of(text).starts_with(refusal));
  };
  begins("", "g.toml has no gate");
  begins("gate = []", "g.toml:1:8: there is no gate");
  begins("[gate]\nthat = 'opens'", "g.toml:1:1: gates are a list");
  begins("gate = ['opens']", "g.toml:1:9: a gate is a table");
  begins("repeat = 2\nrepaet = 3", "g.toml:2:1: no such key: 'repaet' (did you mean 'repeat'?)");
  begins("[[gate]]\nthat = 'opens'\n lest = 3",
         "g.toml:3:2: no such key: 'lest' (did you mean 'least'?); there are that, name");
  begins("[[gate]]\nname = 'a'\n[[gate]]\nthat = 'opens'", "g.toml:1:1: the gate has no `that`");
  begins("[[gate]]\nthat = 7", "g.toml:2:8: that needs a text");
  begins("[[gate]]\nthat = ''", "g.toml:2:8: that needs a text");
  begins("[[gate]]\nthat = 'opens'\nbaseline = 'b'", "g.toml:3:12: baseline of a gate is true or false");
  begins("repeat = 0", "g.toml:1:10: repeat takes a number from 1 on, at most 1000");
  begins("repeat = 1001", "g.toml:1:10: repeat takes");
  begins("least = -1", "g.toml:1:9: least takes a number from 1 on");
  begins("least = 1.5", "g.toml:1:9: least takes");
  begins("[[gate]]\nname = 'n'\nthat = 'opns < 3'",
         "g.toml:3:8: gate \"n\": that opns < 3: no such metric: 'opns' (did you mean 'opens'?)");
  begins("[[gate]]\nthat = 'opens <'", "g.toml:2:8: that: what < compares with is missing");
  begins("a = \n", "g.toml:1:5: ");
  begins("repeat = 3\n\u00e9 = 3", "g.toml:2:1: ");
  begins("[[\ngate]]", "g.toml is no TOML");
  begins("[[gate]]\nthat = 'opens'\nthat = 'opens'", "g.toml:3:");
  begins("a = '\x1b[2J\x01'", "g.toml:1:");
  CHECK(refusal_of("\x1b[2J = 3").find('\x1b') == std::string::npos);
}

TEST_CASE("what is nested too deep for the library is refused before it is parsed") {
  std::string key = "a";
  for (int i = 0; i < 100'000; i++) key += ".a";
  for (const std::string &text : {key + " = 1", "[" + key + "]\n", "[[" + key + "]]\n", "repeat = 3\n" + key + " = 1"})
    CHECK(refusal_of(text) == "g.toml has a line with more than 256 dots");
  CHECK(parse_gate_file("g.toml", "[[gate]]\nthat = 'opens(file ~ \"" + std::string(250, '.') + "\") < 3'")
            .gates.size() == 1);
}

TEST_CASE("a mistake about columns has its place, too") {
  const GateFile file = parse_gate_file("g.toml", "[[gate]]\nthat = 'opens(fil ~ x) == 0'");
  const Field column = {.decode = {.type = Type::kText}, .key = "file"};
  CHECK_THROWS_WITH(file.gates[0].rows_among(Schema(&column, 1)),
                    "g.toml:2:8: that: no such column: 'fil' (did you mean 'file'?); there are file\n  fil ~ x\n  ^");
}

}  // namespace
}  // namespace strata
