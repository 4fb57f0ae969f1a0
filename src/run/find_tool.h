// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A tool by its name, that of a link to it, or that of the program.
#pragma once

#include <span>
#include <string_view>

#include "run/tool.h"

namespace strata {

using Tools = std::span<const Tool *const>;

struct Found {
  const Tool *tool = nullptr;
  const Link *link = nullptr;

  explicit operator bool() const { return tool != nullptr; }
  [[nodiscard]] std::string_view name() const { return link ? link->name : tool->name; }
};

Found find_tool(Tools tools, std::string_view name);
Found tool_of_program(Tools tools, std::string_view path);  // of argv[0]; "strata" itself is none

}  // namespace strata
