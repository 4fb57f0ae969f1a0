// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/stack_rows.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "render/value.h"

namespace strata {
namespace {

std::string_view text_of(const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string_view() : *text;
}

}  // namespace

StackRows::StackRows(Schema columns) {
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].key == "comm") comm_ = i;
    if (columns[i].unit == Unit::kStack) stack_ = i;
  }
}

std::vector<std::string_view> StackRows::functions(const Row &row) const {
  return stack_ ? frames_of(text_of(row[*stack_])) : std::vector<std::string_view>();
}

std::vector<std::string_view> StackRows::frames(const Row &row) const {
  std::vector<std::string_view> frames = functions(row);
  if (comm_) frames.push_back(text_of(row[*comm_]));
  std::reverse(frames.begin(), frames.end());
  return frames;
}

uint32_t StackRows::add_to(StackTree &tree, const Row &row, uint64_t weight, size_t run) const {
  std::vector<std::string> names;
  for (const std::string_view frame : frames(row)) names.push_back(printable(frame));
  return tree.add(std::vector<std::string_view>(names.begin(), names.end()), weight, run);
}

}  // namespace strata
