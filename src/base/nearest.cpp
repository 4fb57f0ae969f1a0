// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/text.h"

namespace strata {
namespace {

// Levenshtein's distance, a row of its table at a time.
size_t edits(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < from.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); j++) {
      const size_t replaced = diagonal + (lower(from[i]) != lower(to[j]) ? 1 : 0);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> words) {
  std::string_view best;
  size_t fewest = word.size() / 3 + 1;
  for (const std::string_view one : words) {
    const size_t distance = edits(word, one);
    if (distance >= fewest) continue;
    best = one;
    fewest = distance;
  }
  return best;
}

std::string meant(std::string_view word, std::span<const std::string_view> words) {
  const std::string_view one = nearest(word, words);
  return one.empty() ? "" : " (did you mean '" + std::string(one) + "'?)";
}

std::string meant(std::string_view word, std::span<const std::string> words) {
  return meant(word, std::vector<std::string_view>(words.begin(), words.end()));
}

}  // namespace strata
