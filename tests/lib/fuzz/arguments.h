// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What holds of any command line of a tool: it is refused with status 2 and a printable sentence, or parsed into the
// permitted ranges, formats and columns; and what a recording keeps of it is parsed into the same.
#pragma once

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "cli/values.h"
#include "fuzz.h"
#include "model/column_choice.h"
#include "run/dispatch.h"
#include "run/tool.h"
#include "run/view_options.h"

namespace strata {

inline void require_in_range(const Values &values, const Option &option) {
  const auto permitted = [&](uint64_t number) { return number >= option.low && number <= option.high; };
  if (!values.given(option.name)) return;
  switch (option.kind) {
    case OptionKind::kNumber:
    case OptionKind::kOneIn:
      return require(permitted(values.number(option.name)));
    case OptionKind::kDuration:
    case OptionKind::kTime:
      return require(permitted(values.duration_ns(option.name)));
    case OptionKind::kNumbers:
      for (const uint64_t number : values.numbers(option.name)) require(permitted(number));
      return;
    case OptionKind::kChoice: {
      const auto words = words_of(option.value);
      return require(std::find(words.begin(), words.end(), values.text(option.name)) != words.end());
    }
    default:
      return;
  }
}

inline void require_outputs(const Values &values, const Tool &tool) {
  const View *view = selected_view(tool, values);
  const std::vector<std::string_view> formats = formats_of(tool);
  for (const OutputRequest &request : requests_of(tool, view, values))
    require(std::find(formats.begin(), formats.end(), request.format) != formats.end());
  const std::vector<Field> columns = columns_of(view != nullptr ? record_of(*view).fields : tool.fields);
  if (!values.given("columns")) return;
  for (const size_t column : columns_named(columns, values.texts("columns"), {})) require(column < columns.size());
}

// In our own words, and without what the tool's name stands for.
inline void require_same_again(const Values &values, Syntax syntax, std::span<const Option> options) {
  syntax.tool = syntax.implied = {};
  const Values again = parse_arguments(syntax, values.arguments());
  for (const Option &option : options) {
    if (option.kind == OptionKind::kCommand) continue;  // it is recorded as the command alone
    require(values.given(option.name) == again.given(option.name));
    require(values.texts(option.name) == again.texts(option.name));
    require(values.numbers(option.name) == again.numbers(option.name));
  }
}

// None where the line is refused, or asks for help.
inline std::optional<Values> parse(const Tool &tool, const Link *link, std::span<const std::string> words) {
  const std::string program = "strata " + std::string(tool.name);
  const Syntax syntax = syntax_of(tool, program, link);
  try {
    const Values values = parse_arguments(syntax, words);
    if (values.given("help") || values.given("version") || values.given("man")) return std::nullopt;
    const std::vector<Option> options = all_options(syntax);
    for (const Option &option : options) require_in_range(values, option);
    require_same_again(values, syntax, options);
    require_outputs(values, tool);
    return values;
  } catch (const Error &error) {
    require(error.exit_status() == 2 && printable(error.what()) == error.what());
    return std::nullopt;
  }
}

}  // namespace strata
