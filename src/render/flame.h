// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A flame graph: of one run, or of two that are compared. A picture for documents, and a page that answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/field.h"
#include "model/stack_tree.h"

namespace strata {

struct FlamePage {
  std::string title;               // "strata profile"
  std::vector<std::string> notes;  // what it is of, a line each
  std::vector<std::string> losses;
  const Field *weight = nullptr;  // what the stacks are counted in
  bool threads = false;           // the outermost "function" is the name of a thread
  bool differential = false;      // run 1 of the tree is what run 0 is compared with; it is the one that is drawn
  double scale = 1;               // by which run 0 is multiplied before
};

std::string weight_text(const Field &weight, uint64_t amount);  // "37 samples", "1.23ms"

std::string flame_svg(const FlamePage &page, const StackTree &tree);
std::string flame_html(const FlamePage &page, const StackTree &tree);
using DrawFlame = std::string (*)(const FlamePage &page, const StackTree &tree);
DrawFlame flame_by_name(std::string_view file);  // the page of "x.html", else the picture

}  // namespace strata
