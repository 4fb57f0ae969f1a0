// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/folded.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "base/test.h"

namespace strata {
namespace {

// The tree, a line each; or why the text was refused.
std::string read(const std::string &text) {
  char name[] = "/tmp/folded_test.XXXXXX";
  const Fd file(mkstemp(name));
  REQUIRE(write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  StackTree tree;
  std::string found;
  try {
    read_folded(name, tree, 0);
    for (const StackTree::Node &node : tree.nodes())
      found += std::string(node.level, ' ') + *tree.names()[node.name] + " " + std::to_string(node.self[0]) + "\n";
  } catch (const Error &error) {
    found = std::string(error.what()).substr(sizeof(name) - 1);
  }
  unlink(name);
  return found;
}

}  // namespace

TEST_CASE("folded stacks are read") {
  CHECK(read("main;a b;c 7\nmain 3\r\n\nmain;a b;c 1") == "all 0\n main 3\n  a b 0\n   c 8\n");
  CHECK(read("a\x1b[31m 1\n") == "all 0\n a\\x1b[31m 1\n");
  CHECK(read("") == "all 0\n");
}

TEST_CASE("what is no folded stack is refused, with its line") {
  const std::string no_number = "no number at its end; folded stacks are lines of \"outermost;...;innermost COUNT\"";
  CHECK(read("main;a 1\nmain;b\n") == ", line 2: " + no_number);
  CHECK(read("main;a -1\n") == ", line 1: " + no_number);
  CHECK(read("main;a 1x\n") == ", line 1: " + no_number);
  CHECK(read("main;a 99999999999999999999\n") == ", line 1: " + no_number);
  CHECK(read("a 4611686018427387904\nb 1\n") == ", line 2: the counts are too large to be added up");
  CHECK(read(std::string(3 << 20, 'x')) == ", line 1: it has more than 1048576 bytes");
  std::string deep = "a";
  for (int i = 0; i < 3000; i++) deep += ";a";
  CHECK(read(deep + " 1\n") == ", line 1: a stack of more than 2048 functions");
}

}  // namespace strata
