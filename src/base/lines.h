// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The lines of a text file, as most of /proc and /sys are. By stdio: std::ifstream brings the locales of the C++
// library into a static binary.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

class Lines {
 public:
  explicit Lines(const std::string &path);  // one that cannot be opened has no lines
  static Lines of(std::string_view text);   // which must outlive it

  bool next(std::string &line);  // without its end; false if there is none
 private:
  explicit Lines(FILE *file) : file_(file, fclose) {}

  std::unique_ptr<FILE, int (*)(FILE *)> file_;
  std::unique_ptr<char, void (*)(void *)> line_{nullptr, free};
  size_t room_ = 0;
};

std::string first_line(const std::string &path);  // "" if it cannot be read

// That the first line begins with.
template <typename Number>
std::optional<Number> number_in(const std::string &path) {
  const std::string line = first_line(path);
  Number number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace strata
