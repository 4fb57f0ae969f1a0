// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/exported.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "run/view.h"
#include "run/view_options.h"

namespace strata {
namespace {

constexpr size_t kSeriesOfHistogram = 32;  // its buckets, their sum and count

// What is the exporter's to say, or ends the run.
constexpr std::string_view kNotForExporters[] = {"output", "json",     "duration", "interval", "count",   "wait",
                                                 "last",   "max-size", "start-at", "help",     "version", "man"};

[[noreturn]] void reject_name(const ExportedTool &wanted, Tools tools) {
  std::vector<std::string_view> names;
  for (const Tool *tool : tools) {
    names.push_back(tool->name);
    for (const Link &link : tool->links) names.push_back(link.name);
  }
  throw usage_error("no such tool: '" + printable(wanted.words[0]) + "'" + meant(wanted.words[0], names));
}

void check_options(const Syntax &syntax, const Values &values) {
  std::vector<Option> all = all_options(syntax);
  all.insert(all.end(), hidden_options().begin(), hidden_options().end());
  for (const Option &option : all)
    if (values.given(option.name) && std::ranges::find(kNotForExporters, option.name) != std::end(kNotForExporters))
      throw usage_error("--" + std::string(option.name) + " is not for a tool that is exported" +
                        (option.name == "interval" ? ": say `interval` beside it" : ""));
  if (!values.command().empty()) throw usage_error("a tool that is exported runs no command");
}

// Counted in the kernel, or samples for a collector.
void check_shape(const Tool &tool, const Values &values, bool pushes) {
  const std::string name(tool.name);
  if (!tool.followed.empty()) {
    if (!pushes) throw usage_error(name + " has samples, which only a collector takes: say where it is ([push])");
    return;
  }
  const View *view = selected_view(tool, values);
  std::vector<std::string_view> formats(tool.formats.begin(), tool.formats.end());
  if (view != nullptr) formats.assign(formats_of(*view).begin(), formats_of(*view).end());
  if (std::ranges::find(formats, "openmetrics") != formats.end()) return;
  const std::vector<std::string_view> all = formats_of(tool);
  const bool others = std::ranges::find(all, "openmetrics") != all.end();
  if (view != nullptr && std::holds_alternative<EventSpec>(view->shape))
    throw usage_error(name + " prints events: only what is counted in the kernel is exported" +
                      (others ? ", which it does with an option (strata " + name + " --help)" : ""));
  throw usage_error(name + " shows nothing that adds up: only counters and histograms are exported");
}

}  // namespace

Exported::Exported(const ExportedTool &from, const Found &which, std::string as, Values with)
    : wanted(from),
      found(which),
      program(std::move(as)),
      values(std::move(with)),
      totals(wanted.most_series, std::max<size_t>(1, wanted.most_series / kSeriesOfHistogram)) {}

Exported exported_of(const ExportedTool &wanted, Tools tools, bool pushes, bool verbose) try {
  const Found found = find_tool(tools, wanted.words[0]);
  if (!found) reject_name(wanted, tools);
  std::string program = "strata " + std::string(found.name());
  const Syntax syntax = syntax_of(*found.tool, program, found.link);
  std::vector<std::string> arguments(wanted.words.begin() + 1, wanted.words.end());
  if (verbose) arguments.emplace_back("--verbose");
  Values values = parse_arguments(syntax, arguments);
  check_options(syntax, values);
  check_shape(*found.tool, values, pushes);
  return {wanted, found, std::move(program), std::move(values)};
} catch (const Error &error) {
  throw usage_error(wanted.place + ": " + error.what());
}

}  // namespace strata
