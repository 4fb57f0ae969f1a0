// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as two recordings, parted by a line of "=====", by the way that strata merge takes.
#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/values.h"
#include "fuzz.h"
#include "run/dispatch.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

void merge(const std::vector<std::string> &files, const std::string &format) {
  const MemoryFile out;
  const Tool &tool = **std::ranges::find(kTools, std::string_view("merge"), &Tool::name);
  const std::vector<std::string> arguments = {files[0], files[1], "-o", format + ":" + out.name()};
  const Values values = parse_arguments(syntax_of(tool, "strata merge"), arguments);
  Session session(tool, values, "strata merge");
  tool.run(values, session);
  if (format == "json")
    each_line(out.text(), [](std::string_view line) { parsed_json(line); });
  else
    require_printable(out.text());
}

}  // namespace
}  // namespace strata

int fuzz_merge(const uint8_t *data, size_t size) {
  static strata::MemoryFile a, b;
  const std::string_view all(reinterpret_cast<const char *>(data), size), mark = "=====\n";
  const size_t end = all.find(mark);
  if (end == std::string_view::npos) return 0;
  a.write(all.substr(0, end));
  b.write(all.substr(end + mark.size()));
  for (const char *format : {"text", "json"}) {
    try {
      strata::merge({a.name(), b.name()}, format);
    } catch (const strata::Error &error) {
      strata::require(strata::printable(error.what()) == error.what());
    }
  }
  return 0;
}
