// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata export: tools that run for ever, for Prometheus and for OpenTelemetry collectors.
#include "export.default.h"
#include "export.manual.h"

#include "cli/values.h"
#include "export/exporter.h"
#include "render/writer.h"
#include "run/dispatch.h"
#include "run/session.h"

namespace strata {
namespace {

constexpr Option kOptions[] = {
    {.name = "file",
     .short_name = 'f',
     .value = "FILE",
     .kind = OptionKind::kText,
     .help = "which tools, and where to, in TOML; without it as --print-config shows"},
    {.name = "print-config", .help = "instead, print what a file without changes is"},
};
constexpr std::string_view kFormats[] = {"text"};

int run(const Values &values, Session &session) {
  if (values.given("print-config")) {
    print(kDefaultFile);
    return 0;
  }
  const ExportFile file =
      values.given("file") ? read_export_file(values.text("file")) : parse_export_file("(default)", kDefaultFile);
  return Exporter(file, kTools, session).run();
}

}  // namespace

extern const Tool tool_export = {
    .name = "export",
    .summary = "serve what tools count to Prometheus and OpenTelemetry",
    .manual = kManual,
    .options = kOptions,
    .common_options = kHasTypes,
    .formats = kFormats,
    .run = run,
};

}  // namespace strata
