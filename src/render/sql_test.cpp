// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What no recording of the golden tests has: tests/lib/sql loads those into an engine.
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "base/fd.h"
#include "base/test.h"
#include "render/sink.h"

namespace strata {
namespace {

constexpr Field kColumns[] = {
    {.name = "inode", .bytes = 8, .kind = Kind::kUnsigned, .key = "inode", .title = "INODE"},
    {.name = "comm", .bytes = 16, .kind = Kind::kText, .key = "comm", .title = "COMM"},
    {.name = "argv", .bytes = 16, .kind = Kind::kText, .key = "args", .title = "ARGS", .unit = Unit::kWords},
};

std::string sql_of(const Row &row) {
  char name[] = "/tmp/sql_test.XXXXXX";
  const Fd file(mkstemp(name));
  const OutputRequest request = {.format = "sql", .file = name};
  Outputs outputs({&request, 1});
  const RunInfo info = {.tool = "x", .columns = kColumns, .shown = {0, 1, 2}};
  outputs.put(info);
  outputs.put(DecodedRow{kColumns, row});
  outputs.close(EndReason::kDone);
  std::stringstream text;
  text << std::ifstream(name).rdbuf();
  unlink(name);
  const std::string all = text.str();
  const size_t begin = all.find('\n', all.find("CREATE TABLE \"x\"")) + 1;
  return all.substr(begin, all.find("CREATE TABLE \"run\"") - begin);
}

}  // namespace

TEST_CASE("a quote of a text is doubled in SQL, and none ends it") {
  CHECK(sql_of({uint64_t{7}, std::string("a'b\\'"), std::string("rm\0'\0", 5)}) ==
        "INSERT INTO \"x\" VALUES (7, 'a''b\\''', '[\"rm\",\"''\"]');\n");
}

TEST_CASE("what SQL cannot hold stands in a column of its own") {
  CHECK(sql_of({~uint64_t{0}, std::string("a\0b\n\xff", 5), Value()}) ==
        "ALTER TABLE \"x\" ADD COLUMN \"inode_digits\" TEXT;\n"
        "ALTER TABLE \"x\" ADD COLUMN \"comm_bytes\" TEXT;\n"
        "INSERT INTO \"x\" (\"inode\", \"inode_digits\", \"comm\", \"comm_bytes\", \"args\") VALUES "
        "(NULL, '18446744073709551615', 'a\xef\xbf\xbd"
        "b\xef\xbf\xbd\xef\xbf\xbd', 'YQBiCv8=', NULL);\n");
}

TEST_CASE("a word among numbers is none of them in SQL") {
  CHECK(sql_of({std::string("(others)"), Value(), Value()}) == "INSERT INTO \"x\" VALUES (NULL, NULL, NULL);\n");
}

}  // namespace strata
