// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a recording of any tool, by the way that strata replay takes: refused with an Error, or rendered into
// every format that the tool has, printable text and valid JSON.
#include <algorithm>
#include <vector>

#include "base/error.h"
#include "cli/values.h"
#include "fuzz.h"
#include "rec/recording.h"
#include "run/dispatch.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

const Tool &replay_tool() {
  return **std::find_if(kTools.begin(), kTools.end(), [](const Tool *tool) { return tool->name == "replay"; });
}

void replay(const std::string &file, std::string_view format) {
  const MemoryFile out;
  const Tool &tool = replay_tool();
  const std::vector<std::string> arguments = {file, "-o", std::string(format) + ":" + out.name()};
  const Values values = parse_arguments(syntax_of(tool, "strata replay"), arguments);
  Session session(tool, values, "strata replay");
  tool.run(values, session);
  if (format == "json") {
    each_line(out.text(), [](std::string_view line) { parsed_json(line); });
  } else if (format == "perfetto") {
    parsed_json(out.text());
  } else if (format == "html") {
    if (!out.text().empty()) parsed_json(page_data(out.text()));
  } else if (format == "pprof") {  // of gzip, if the recording has stacks
    require(out.text().empty() || out.text().starts_with("\x1f\x8b"));
  } else if (format == "pcapng") {
    require(out.text().empty() || out.text().starts_with("\x0a\x0d\x0d\x0a"));
  } else {
    require_printable(out.text());
  }
}

}  // namespace
}  // namespace strata

int fuzz_replay(const uint8_t *data, size_t size) {
  static strata::MemoryFile file;
  file.write({reinterpret_cast<const char *>(data), size});
  for (const std::string_view format : strata::replay_tool().formats) {
    try {
      strata::replay(file.name(), format);
    } catch (const strata::Error &error) {
      strata::require(strata::printable(error.what()) == error.what());
    }
  }
  return 0;
}
