// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/find_tool.h"

namespace strata {

Found find_tool(Tools tools, std::string_view name) {
  for (const Tool *tool : tools) {
    if (tool->name == name) return {.tool = tool};
    for (const Link &link : tool->links) {
      if (link.name == name) return {.tool = tool, .link = &link};
    }
  }
  return {};
}

Found tool_of_program(Tools tools, std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kPrefix = "strata-";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  const Found found = find_tool(tools, name);
  if (!found && tools.size() == 1 && name != "strata") return {.tool = tools.front()};
  return found;
}

}  // namespace strata
