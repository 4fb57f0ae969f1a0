// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any words as a command line of a tool, its name first.
#include "arguments.h"

namespace strata {
namespace {

// A word per line, so that words may hold spaces.
std::vector<std::string> words_of_lines(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace
}  // namespace strata

int fuzz_arguments(const uint8_t *data, size_t size) {
  const std::vector<std::string> words = strata::words_of_lines({reinterpret_cast<const char *>(data), size});
  if (words.empty()) return 0;
  for (const strata::Tool *tool : strata::kTools) {
    if (tool->name == words[0]) strata::parse(*tool, nullptr, std::span(words).subspan(1));
  }
  return 0;
}
