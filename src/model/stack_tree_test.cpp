// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model/stack_tree.h"

#include "base/test.h"

namespace strata {
namespace {

std::string text_of(const StackTree &tree) {
  std::string text;
  for (const StackTree::Node &node : tree.nodes()) {
    text += std::string(node.level, ' ') + *tree.names()[node.name];
    for (size_t run = 0; run < 2; run++)
      text += " " + std::to_string(node.self[run]) + "/" + std::to_string(node.total[run]);
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("stacks are merged from their outermost function on") {
  StackTree tree;
  const std::string_view stacks[][3] = {{"main", "z", "a"}, {"main", "b", "a"}, {"main", "z", "c"}};
  for (const auto &stack : stacks) tree.add(stack, 7);
  tree.add(std::span(stacks[0]).first(2), 2);
  tree.add(std::span(stacks[1]).first(2), 5, 1);
  tree.add({}, 1);
  CHECK(tree.size() == 7);
  CHECK(tree.total() == StackTree::Weights{24, 5});
  CHECK(text_of(tree) ==
        "all 1/24 0/5\n"
        " main 0/23 0/5\n"
        "  b 0/7 5/5\n"
        "   a 7/7 0/0\n"
        "  z 2/16 0/0\n"
        "   a 7/7 0/0\n"
        "   c 7/7 0/0\n");
}

TEST_CASE("a tree without stacks has its root") { CHECK(text_of(StackTree()) == "all 0/0 0/0\n"); }

}  // namespace strata
