// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A line that a program of the probe language prints: the format of a printf() and its values, which grow together.
// What strata runs has more than what --explain prints: values that only data have, and at the end a string with a key
// for each value, by which user space makes a row of the same record. Rejected: a record for people and one for data,
// of which one may be lost; and to read the text again.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"

namespace strata::expr {

// A key may be "" (the value is for people alone), "KEY" (the value), "KEY[]" (it is added to a list, of a stack its
// functions) or "KEY.NAME" (a member of an object, whose text is the key "message"). In the order of the values.
inline constexpr std::string_view kStackKey = "stack[]", kMessageKey = "message_values.";

// A column of the line that says whose the process is: "unit", "container" or "pod".
struct BccOwner {
  std::string_view key, title;
  int width = 0;  // less than 0, as in Field
};
inline std::string titles_of(const std::vector<BccOwner> &owners) {
  std::string titles;
  for (const BccOwner &one : owners) titles += padded(one.title, one.width) + " ";
  return titles;
}

struct BccLine {
  std::string format;
  std::vector<std::string> values, keys;
  std::vector<std::pair<std::string, std::string>> data;  // keys and values that the format does not have

  void add(std::string_view more, std::string value, std::string_view key = "") {
    format += more;
    values.push_back(std::move(value));
    keys.emplace_back();
    for (const char c : key) {
      if (c == '"' || c == '\\') keys.back() += '\\';
      keys.back() += c == '\n' ? ' ' : c;
    }
  }
  void add_owners(const std::vector<BccOwner> &owners) {
    for (const BccOwner &one : owners)
      add("%" + std::to_string(one.width) + "s ", "cgroup_" + std::string(one.key) + "(cgroup)", one.key);
  }
  void add_stacks(bool kernel, bool user) {  // each begins with a new line
    if (kernel) add("%s", "kstack", kStackKey);
    if (user) add("%s", "ustack", kStackKey);
  }
  [[nodiscard]] std::string list() const { return comma_list(values); }  // "pid, tid"
  // What only strata reads is in a line of its own: a mistake is shown with the line that it is in.
  [[nodiscard]] std::string statement(bool as_row) const {
    std::string text = "printf(\"" + format + "\\n\", " + list(), all_keys = join(keys, "\\n");
    if (!as_row) return text + "); ";
    text += ",\n  ";
    for (const auto &[key, value] : data) {
      text += value + ", ";
      all_keys += "\\n" + key;
    }
    return text + "\"" + all_keys + "\"); ";
  }
};

}  // namespace strata::expr
