// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as the file of an exporter, and as an Accept header: it is refused with its name and a sentence that a
// terminal can show, or it has tools and where to serve them.
#include "export/export_file.h"

#include "export/accept.h"
#include "fuzz.h"

namespace strata {
namespace {

void check(std::string_view text) {
  static_cast<void>(format_for(text));
  try {
    const ExportFile file = parse_export_file("e.toml", text);
    require(!file.tools.empty() && file.listen.port != 0 && file.budget_millionths > 0);
    for (const ExportedTool &tool : file.tools)
      require(!tool.words.empty() && tool.interval_ns > 0 && tool.most_series > 0);
  } catch (const Error &error) {
    require_refused(error, "e.toml");
  }
}

}  // namespace
}  // namespace strata

int fuzz_export_file(const uint8_t *data, size_t size) {
  strata::check(std::string_view(reinterpret_cast<const char *>(data), size));
  return 0;
}
