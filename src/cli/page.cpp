// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cli/page.h"

#include <algorithm>

namespace strata {
namespace {

// Without the marks of bold words, and the backslashes.
std::string plain(std::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size(); i++) {
    if (line.substr(i, 2) == "**") {
      i++;
    } else if (line[i] == '\\' && i + 1 < line.size()) {
      text += line[++i];
    } else {
      text += line[i];
    }
  }
  return text;
}

// A part of a page, block by block.
class Part {
 public:
  void add(std::string_view line) {
    constexpr std::string_view kExample = "    ";
    const bool example = line.starts_with(kExample);
    if (line.empty() || example != in_example_) open_ = false;
    if (line.empty()) return;
    if (!open_ && !text_.empty()) text_ += "\n\n";
    const bool item = line.starts_with("- ");
    if (open_) text_ += example || item ? "\n" : " ";
    if (!example) line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    text_ += example ? "  " + std::string(line.substr(kExample.size())) : plain(line);
    open_ = true;
    in_example_ = example;
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool open_ = false, in_example_ = false;
};

}  // namespace

ManualPage parse_page(std::string_view markdown) {
  Part help, more;
  bool in_more = false;
  while (!markdown.empty()) {
    const size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line == "## More") {
      in_more = true;
    } else if (!line.starts_with("# ")) {
      (in_more ? more : help).add(line);
    }
  }
  return {.help = help.take(), .more = more.take()};
}

}  // namespace strata
