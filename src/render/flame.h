// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A flame graph: of one run, or of two that are compared. A picture for documents, and a page that answers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/field.h"
#include "model/stack_tree.h"

namespace strata {

// When the stacks were seen: weights by where they end in the tree, and by 1/32 of a second since 1970.
using StackTimes = std::map<std::pair<uint32_t, uint64_t>, uint64_t>;

struct FlamePage {
  std::string title;               // "strata profile"
  std::vector<std::string> notes;  // what it is of, a line each
  std::vector<std::string> losses;
  const Field *weight = nullptr;  // what the stacks are counted in
  bool threads = false;           // the outermost "function" is the name of a thread
  bool differential = false;      // run 1 of the tree is what run 0 is compared with; it is the one that is drawn
  double scale = 1;               // by which run 0 is multiplied before
  // Of a page of which a part of the time may be asked for, by the fragment of its address: from=32&to=40 is the first
  // quarter of the second that follows the first one.
  const StackTimes *times = nullptr;
  uint64_t first_part = 0;    // when it begins, in 1/32 of a second since 1970
  uint32_t first_second = 0;  // and of the day, as clocks there show it
};

std::string weight_text(const Field &weight, uint64_t amount);  // "37 samples", "1.23ms"

std::string flame_svg(const FlamePage &page, const StackTree &tree);
std::string flame_html(const FlamePage &page, const StackTree &tree);
// What stands on the page, for another one that becomes it (Page in page.h); the script without that of all pages.
struct FlameParts {
  std::string title, style, body, data, script;
};
FlameParts flame_parts(const FlamePage &page, const StackTree &tree);
using DrawFlame = std::string (*)(const FlamePage &page, const StackTree &tree);
DrawFlame flame_by_name(std::string_view file);  // the page of "x.html", else the picture

}  // namespace strata
