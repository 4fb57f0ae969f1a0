// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as folded stacks: refused with a sentence, or a tree whose weights add up, whose names are harmless and
// which both flame graphs are drawn of.
#include "rec/folded.h"

#include "base/error.h"
#include "fuzz.h"
#include "render/flame.h"

namespace strata {
namespace {

constexpr Field kWeight = {.key = "samples"};

void require_tree(const StackTree &tree) {
  uint64_t sum = 0;
  uint32_t below = 0;
  for (const StackTree::Node &node : tree.nodes()) {
    require(node.level <= below && node.self[0] <= node.total[0] && node.total[0] <= tree.total()[0]);
    sum += node.self[0];
    below = node.level + 1;
  }
  require(sum == tree.total()[0] && tree.nodes().size() == tree.size());
  for (const std::string *name : tree.names()) require(printable(*name) == *name);
}

void check(const std::string &file) {
  StackTree tree;
  read_folded(file, tree, 0);
  require_tree(tree);
  const FlamePage page = {.title = "fuzz", .notes = {}, .losses = {}, .weight = &kWeight};
  const std::string svg = flame_svg(page, tree);
  require_printable(svg);
  require(svg.find("<svg", 1) == std::string::npos && svg.find("<script") == std::string::npos);
  const std::string html = flame_html(page, tree);
  size_t scripts = 0;
  for (size_t at = 0; (at = html.find("<script", at)) != std::string::npos; at++) scripts++;
  require(scripts == 2);
}

}  // namespace
}  // namespace strata

int fuzz_folded(const uint8_t *data, size_t size) {
  static strata::MemoryFile file;
  file.write({reinterpret_cast<const char *>(data), size});
  try {
    strata::check(file.name());
  } catch (const strata::Error &error) {
    strata::require(strata::printable(error.what()) == error.what());
  }
  return 0;
}
