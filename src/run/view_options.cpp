// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/view_options.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "render/bpftrace_json.h"
#include "run/tool.h"

namespace strata {
namespace {

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

OutputRequest parse_output(const std::string &text, std::span<const std::string_view> formats) {
  const size_t colon = text.find(':');
  OutputRequest request = {.format = text.substr(0, colon), .file = ""};
  if (colon != std::string::npos) {
    request.file = text.substr(colon + 1);
    if (request.file == "-")
      request.file.clear();  // standard output, as without a file
    else if (request.file.empty())
      throw usage_error("--output " + printable(text) + " lacks the name of the file");
  }
  if (contains(formats, request.format)) return request;
  throw usage_error("--output takes one of the formats " + comma_list(formats) + ", not '" + printable(request.format) +
                    "'");
}

// A format that only another view has.
void check_formats(const Tool &tool, const View &view, const Values &values) {
  for (const std::string &output : values.texts("output")) {
    const std::string format = output.substr(0, output.find(':'));
    if (contains(formats_of(view), format)) continue;
    for (const View &other : tool.views)
      if (contains(formats_of(other), format))
        throw usage_error("--output " + format + " is for " + std::string(other.name));
  }
}

// The options that select a view with a use for this one: " (see --queue-time and --backlog)". "" if there is none, or
// if the view that needs no option has it. `part` of the common options, or 0: one of the tool's own.
std::string views_for(const Tool &tool, const View &view, std::string_view option, uint32_t part) {
  std::vector<std::string> others;
  for (const View &other : tool.views) {
    const bool has_use =
        (part == 0 || (common_options_of(other) & part) != 0) && !contains(words_of(other.without), option);
    if (&other == &view || !has_use) continue;
    if (other.option.empty()) return "";
    const std::string_view selecting = other.option.substr(0, other.option.find_first_of("=|"));
    const std::string text = "--" + std::string(selecting);
    if (selecting != option && std::ranges::find(others, text) == others.end()) others.push_back(text);
  }
  if (others.empty()) return "";
  std::string text = " (see " + others.front();
  for (size_t i = 1; i < others.size(); i++) text += (i + 1 < others.size() ? ", " : " and ") + others[i];
  return text + ")";
}

// What the options ask for and this view has no use for.
void check_options(const Tool &tool, const View *view, const Values &values) {
  if (view != nullptr) check_formats(tool, *view, values);
  struct Part {
    uint32_t part;
    std::string_view option;
  };
  constexpr Part kParts[] = {{kHasInterval, "interval"},   {kHasInterval, "count"},   {kHasTable, "sort"},
                             {kHasTable, "rows"},          {kHasBuffer, "buffer"},    {kHasColumns, "columns"},
                             {kHasLimit, "limit"},         {kHasStack, "stack"},      {kHasStack, "user-stacks"},
                             {kHasStack, "kernel-stacks"}, {kHasStack, "lines"},      {kHasWhen, "when"},
                             {kHasRecorder, "last"},       {kHasRecorder, "max-size"}};
  const uint32_t has = tool.common_options | (view != nullptr ? common_options_of(*view) : 0);
  const auto is_own = [&](std::string_view name) {
    return std::any_of(tool.options.begin(), tool.options.end(), [&](const Option &one) { return one.name == name; });
  };
  const auto reject = [&](std::string_view option, uint32_t part) {
    if (view == nullptr) return reject_options(values, {option}, "is not for " + std::string(tool.name));
    reject_options(values, {option}, "is not for " + std::string(view->name) + views_for(tool, *view, option, part));
  };
  for (const Part &part : kParts)
    if (!(has & part.part) && !is_own(part.option)) reject(part.option, part.part);
  for (const std::string_view option : view != nullptr ? words_of(view->without) : std::vector<std::string_view>())
    reject(option, 0);
}

std::vector<std::string_view> formats_of(const Tool &tool, const View *view) {
  if (view == nullptr) return formats_of(tool);
  const std::span<const std::string_view> formats = formats_of(*view);
  return {formats.begin(), formats.end()};
}

}  // namespace

const View *selected_view(const Tool &tool, const Values &values) {
  const View *selected = nullptr;
  for (const View &view : tool.views) {
    if (view.option.empty() || !any_holds(values, view.option)) continue;
    if (selected != nullptr) {
      throw usage_error(std::string(selected->name) + " and " + std::string(view.name) +
                        " exclude each other: take one of the two");
    }
    selected = &view;
  }
  return selected != nullptr || tool.views.empty() ? selected : &tool.views.front();
}

std::vector<OutputRequest> requests_of(const Tool &tool, const View *view, const Values &values) {
  check_options(tool, view, values);
  const std::vector<std::string_view> formats = formats_of(tool, view);
  std::vector<OutputRequest> requests;
  for (const std::string &text : values.texts("output")) requests.push_back(parse_output(text, formats));
  if (values.given("json")) requests.push_back(parse_output("json", formats));
  const bool has_format = std::ranges::find(tool.options, "format", &Option::name) != tool.options.end();
  if (has_format && values.given("format")) {  // of bpftrace's -o FILE, too
    auto at = std::ranges::find_if(requests, [](const auto &one) { return one.format == "text" && !one.file.empty(); });
    if (at == requests.end()) at = requests.insert(at, parse_output(values.text("format"), formats));
    if (values.text("format") == "json") at->format = kBpftraceJson;
  }
  if (requests.empty()) requests.push_back({.format = std::string(formats.front()), .file = ""});
  return requests;
}

}  // namespace strata
