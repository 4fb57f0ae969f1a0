// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What no recording of the golden tests has: more rows than there is room for, and labels of any bytes.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/fd.h"
#include "base/test.h"
#include "render/sink.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {
    {.key = "comm", .title = "COMM"},
    {.key = "size_bytes", .title = "SIZE", .unit = Unit::kBytes},
};

std::string exposition_of(const Table &table) {
  char name[] = "/tmp/openmetrics_test.XXXXXX";
  const Fd file(mkstemp(name));
  const OutputRequest request = {.format = "openmetrics", .file = name};
  Outputs outputs({&request, 1});
  const RunInfo info = {.tool = "x", .columns = kColumns, .tables = true, .counters = {1}, .labels = {0}};
  outputs.put(info);
  outputs.put(table);
  outputs.close(EndReason::kDone);
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  unlink(name);
  return text.str();
}

}  // namespace

TEST_CASE("rows for which there is no room are one, and nothing is missing") {
  Table table = {.columns = kColumns};
  for (uint64_t i = 0; i < 2500; i++) table.rows.push_back({std::to_string(i), i});
  std::istringstream lines(exposition_of(table));
  uint64_t series = 0, sum = 0, others = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("strata_x_size_bytes_total{")) continue;
    const uint64_t value = std::stoull(line.substr(line.rfind(' ')));
    series++;
    sum += value;
    if (line.find("(others)") != std::string::npos) others += value;
  }
  CHECK(series == 1001);
  CHECK(sum == 2500 * 2499 / 2);
  CHECK(others == sum - 1000 * 999 / 2);
}

TEST_CASE("labels of any bytes, and rows that have the same ones") {
  const Table table = {.columns = kColumns,
                       .rows = {{std::string("a\"b\\c\n\xff"), uint64_t{1}},
                                {std::string("a\"b\\c\n\xff"), uint64_t{2}},
                                {std::string(), uint64_t{4}},
                                {std::string("none"), {}}}};
  const std::string text = exposition_of(table);
  CHECK(text.find("strata_x_size_bytes_total{comm=\"$'a\\\"b\\\\\\\\c\\\\x0a\\\\xff'\"} 3\n") != std::string::npos);
  CHECK(text.find("strata_x_size_bytes_total 4\n") != std::string::npos);
  CHECK(text.find("none") == std::string::npos);
  CHECK(text.ends_with("# EOF\n"));
}

}  // namespace strata
