// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/lines.h"

#include <utility>

namespace strata {

Lines::Lines(const std::string &path) : Lines(fopen(path.c_str(), "re")) {}

Lines Lines::of(std::string_view text) {
  return Lines(text.empty() ? nullptr : fmemopen(const_cast<char *>(text.data()), text.size(), "r"));
}

bool Lines::next(std::string &line) {
  if (!file_) return false;
  char *buffer = line_.release();
  const ssize_t bytes = getline(&buffer, &room_, file_.get());
  line_.reset(buffer);
  if (bytes < 0) return false;
  line.assign(buffer, static_cast<size_t>(bytes));
  if (line.ends_with('\n')) line.pop_back();
  return true;
}

std::string first_line(const std::string &path) {
  std::string line;
  return Lines(path).next(line) ? line : "";
}

}  // namespace strata
