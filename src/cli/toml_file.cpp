// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cli/toml_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace strata {

std::string TomlFile::place(const toml::source_region &source) const {
  return printable(file_) + ":" + std::to_string(source.begin.line) + ":" + std::to_string(source.begin.column);
}

void TomlFile::fail(const toml::source_region &source, const std::string &what) const {
  throw usage_error(place(source) + ": " + what);
}

void TomlFile::check_keys(const toml::table &table, std::span<const std::string_view> known) const {
  for (const auto &[key, value] : table)
    if (std::ranges::find(known, key.str()) == known.end())
      fail(key.source(), "no such key: '" + printable(key.str()) + "'" + meant(key.str(), known) + "; there are " +
                             comma_list(known));
}

std::string TomlFile::text_of(const toml::table &table, std::string_view key) const {
  const toml::node *node = table.get(key);
  if (node == nullptr) return "";
  const toml::value<std::string> *text = node->as_string();
  if (text == nullptr || text->get().empty()) fail(node->source(), std::string(key) + " needs a text");
  return text->get();
}

std::optional<uint64_t> TomlFile::number_of(const toml::table &table, std::string_view key, uint64_t most) const {
  const toml::node *node = table.get(key);
  if (node == nullptr) return std::nullopt;
  const toml::value<int64_t> *number = node->as_integer();
  if (number == nullptr || number->get() < 1 || static_cast<uint64_t>(number->get()) > most)
    fail(node->source(), std::string(key) + " takes a number from 1 on" +
                             (most == kMostNumber ? "" : ", at most " + std::to_string(most)));
  return static_cast<uint64_t>(number->get());
}

void TomlFile::each_table(const toml::table &all, const std::string &key,
                          const std::function<void(const toml::table &table)> &fn) const {
  const std::string begin = "which begins with [[" + key + "]]";
  const toml::node *list = all.get(key);
  if (list == nullptr) throw usage_error(printable(file_) + " has no " + key + ", " + begin);
  if (!list->is_array()) fail(list->source(), key + "s are a list: each begins with [[" + key + "]]");
  if (list->as_array()->empty()) fail(list->source(), "there is no " + key);
  for (const toml::node &node : *list->as_array()) {
    if (!node.is_table()) fail(node.source(), "a " + key + " is a table, " + begin);
    fn(*node.as_table());
  }
}

// The library makes a table of each part of a key with dots, and takes them down one within the other.
void TomlFile::check_depth() const {
  constexpr std::ptrdiff_t kMostDots = 256;  // of a line
  std::string_view left = text_;
  while (!left.empty()) {
    const size_t end = std::min(left.find('\n'), left.size());
    if (std::ranges::count(left.substr(0, end), '.') > kMostDots)
      throw usage_error(printable(file_) + " has a line with more than " + std::to_string(kMostDots) + " dots");
    left.remove_prefix(std::min(end + 1, left.size()));
  }
}

toml::table TomlFile::parse() const try {
  check_depth();
  return toml::parse(text_);
} catch (const toml::parse_error &error) {
  std::string what = printable(error.description());
  what.front() = lower(what.front());
  fail(error.source(), what);
} catch (const NoToml &) {
  throw usage_error(printable(file_) + " is no TOML: is a bracket or a quote missing?");
}

}  // namespace strata
