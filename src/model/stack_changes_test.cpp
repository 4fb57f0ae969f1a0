// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/stack_changes.h"

#include "base/test.h"

namespace strata {

TEST_CASE("a function that calls itself counts once, and a thread's name is no function") {
  StackTree tree;
  const std::string_view deep[] = {"thread", "main", "f", "f"}, flat[] = {"thread", "main", "g"};
  tree.add(deep, 3, 0);
  tree.add(flat, 1, 0);
  tree.add(deep, 2, 1);
  tree.add(flat, 6, 1);
  const std::vector<StackChange> functions = function_changes(tree, false, 2);
  REQUIRE(functions.size() == 2);  // main has all of both
  CHECK(functions[0].name == "f");
  CHECK(functions[0].total == StackTree::Weights{3, 2});
  CHECK(functions[0].change == -0.5);
  CHECK(functions[1].name == "g");
  CHECK(functions[1].change == 0.5);
  const std::vector<StackChange> raw = function_changes(tree, true, 2);
  REQUIRE(raw.size() == 3);
  CHECK(raw[0].name == "g");
  CHECK(raw[0].after == 1.5);
  CHECK(raw[2].name == "main");
  CHECK(raw[2].total_change == 1);
  const std::vector<StackChange> stacks = stack_changes(tree, false);
  REQUIRE(stacks.size() == 2);
  CHECK(stacks[0].name == "f\nf\nmain\nthread");
  CHECK(stacks[0].self == StackTree::Weights{3, 2});
}

}  // namespace strata
