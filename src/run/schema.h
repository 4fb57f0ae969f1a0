// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The JSON Schema (draft 2020-12) of a line that a tool prints with --json.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "render/json_value.h"
#include "run/tool.h"

namespace strata {

// The columns of what a program gets: without what text alone has.
std::vector<Field> columns_in_json(const View &view);

std::string_view type_name(Type type);  // "integer"; of one that is not known ""
bool is_list(const Field &column);      // an array of strings
bool may_be_null(const Field &column);

// Lines that are of no view: of a tool that prints its own text, and verdicts.
struct OwnLine {
  std::string_view type;
  Json schema;
  std::vector<Field> columns = {};  // none: each key of the schema is one
};
std::vector<OwnLine> own_lines_of(const Tool &tool);
// Of a row's keys: each column; or with --columns those that it names, so that none has to be there.
enum class Keys { kAll, kNamed };
Json schema_of(const Tool &tool, Keys keys);

}  // namespace strata
