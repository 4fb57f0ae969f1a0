// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/description.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "bpf/programs.h"
#include "cli/page.h"
#include "model/vocabulary.h"
#include "render/sink.h"
#include "run/schema.h"
#include "run/task_groups.h"

namespace strata {
namespace {

// Null where there is none.
Json text(std::string_view said) { return said.empty() ? Json() : Json(said); }

Json words(std::span<const std::string_view> all) {
  return Json(std::vector<std::string_view>(all.begin(), all.end()));
}

std::string_view name_of(Unit unit) {
  switch (unit) {
    case Unit::kNs:
      return "ns";
    case Unit::kBytes:
    case Unit::kOffset:
      return "bytes";
    case Unit::kSector:
      return "sectors of 512 bytes";
    case Unit::k32nds:
      return "s / 32";
    case Unit::kPercent:
      return "percent";
    case Unit::kWallNs:
      return "ns since 1970";
    case Unit::kHex:
    case Unit::kStack:
    case Unit::kWords:
    case Unit::kNone:
      return "";
  }
  return "";
}

std::string_view name_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::kSwitch:
      return "switch";
    case OptionKind::kNumber:
    case OptionKind::kNumbers:
      return "number";
    case OptionKind::kOneIn:
      return "1/N";
    case OptionKind::kDuration:
    case OptionKind::kTime:
      return "duration";
    case OptionKind::kText:
    case OptionKind::kTexts:
      return "text";
    case OptionKind::kChoice:
      return "choice";
    case OptionKind::kCommand:
      return "command";
  }
  return "";
}

Json json_of(const Option &option, bool common) {
  const bool repeated = option.kind == OptionKind::kNumbers || option.kind == OptionKind::kTexts;
  Json json = {{"name", option.name},
               {"letter", option.short_name == '\0' ? Json() : Json(std::string(1, option.short_name))},
               {"value", text(option.value)},
               {"kind", name_of(option.kind)},
               {"unit", name_of(option.kind) == "duration" ? Json("ns") : Json()},
               {"least", option.low == 0 ? Json() : Json(option.low)},
               {"most", option.high == UINT64_MAX ? Json() : Json(option.high)},
               {"default", text(option.default_value)},
               {"repeatable", repeated},
               {"common", common},
               {"help", option.help}};
  if (option.kind == OptionKind::kChoice) json["choices"] = words(words_of(option.value));
  return json;
}

Json options_json(const Tool &tool) {
  Json json = Json::array();
  for (const Option &option : all_options(syntax_of(tool, "")))
    json.push_back(json_of(option, json.size() >= tool.options.size()));
  return json;
}

Json operands_json(const Tool &tool) {
  Json json = Json::array();
  for (const Operand &operand : tool.operands)
    json.push_back({{"name", operand.name},
                    {"required", operand.required},
                    {"choices", operand.words ? words(words_of(operand.name)) : Json()},
                    {"help", operand.help}});
  return json;
}

Json json_of(const Field &column) {
  const std::string_view type = is_list(column) ? "array" : type_name(type_of(column));
  return {{"key", column.key},
          {"title", text(column.title)},
          {"unit", text(name_of(column.unit))},
          {"type", text(type)},
          {"nullable", may_be_null(column)},
          {"shown", !column.hidden},
          {"with", text(column.with)},
          {"help", column.help}};
}

Json columns_json(std::span<const Field> columns) {
  Json json = Json::array();
  for (const Field &column : columns) json.push_back(json_of(column));
  return json;
}

std::string_view type_of_lines(const View &view) {
  if (std::holds_alternative<EventSpec>(view.shape)) return "event";
  return std::holds_alternative<HistogramSpec>(view.shape) ? "histogram" : "row";
}

// With that of --stack, if events have it, and those that are there if they are named (run/task_groups.h).
std::vector<Field> columns_of(const Tool &tool, const View &view) {
  std::vector<Field> columns = columns_in_json(view);
  if (tool.stacks.elf != nullptr && std::holds_alternative<EventSpec>(view.shape)) columns.push_back(kEventStack);
  return with_owners(std::move(columns));
}

Json view_json(const Tool &tool, const View &view) {
  return {{"name", view.name},
          {"option", text(view.option)},
          {"type", type_of_lines(view)},
          {"without", words(words_of(view.without))},
          {"formats", words(formats_of(view))},
          {"columns", columns_json(columns_of(tool, view))}};
}

// Of a tool that has no views.
Json only_view_json(const Tool &tool, std::string_view name, std::string_view type, Json columns) {
  return {{"name", name},
          {"option", nullptr},
          {"type", type},
          {"without", Json::array()},
          {"formats", words(tool.formats)},
          {"columns", std::move(columns)}};
}

// Of a line that no table of fields describes: its keys, by its schema.
Json columns_json(const Json &schema) {
  Json json = Json::array();
  for (const auto &[key, value] : schema["properties"].items()) {
    if (key == "type") continue;
    const Json type = value.value("type", Json());
    const bool nullable = type.is_array() || key == "value_unit", one_form = !type.is_array() && key != "data";
    json.push_back({{"key", key},
                    {"title", nullptr},
                    {"unit", nullptr},
                    {"type", one_form                              ? type
                             : type.is_array() && type.size() == 2 ? type[0]
                                                                   : Json()},
                    {"nullable", nullable},
                    {"shown", true},
                    {"with", nullptr},
                    {"help", value.value("description", "")}});
  }
  return json;
}

Json own_view_json(const Tool &tool, const OwnLine &line) {
  const bool rows = line.type == "event";
  return only_view_json(tool, rows ? "rows" : "lines of the type " + std::string(line.type), line.type,
                        line.columns.empty() ? columns_json(line.schema) : columns_json(line.columns));
}

// The first is the default.
Json views_json(const Tool &tool) {
  Json json = Json::array();
  for (const View &view : tool.views) json.push_back(view_json(tool, view));
  if (!tool.fields.empty())
    json.push_back(only_view_json(tool, "rows", "event", columns_json(columns_of(tool.fields))));
  for (const OwnLine &line : own_lines_of(tool)) json.push_back(own_view_json(tool, line));
  for (const Followed &one : tool.followed) {
    Json columns = columns_json(with_owners(columns_of(one)));
    json.push_back(only_view_json(tool, "samples of " + std::string(one.name), "sample", std::move(columns)));
  }
  return json;
}

void add_hooks(Json &json, const Programs &of) {
  const std::vector<ProgramName> programs = programs_of(of);
  for (const Hook &hook : of.hooks) {
    Json ways = Json::array();
    for (const ProgramName &program : programs)
      if (program.hook == hook.name) ways.push_back({{"variant", text(program.variant)}, {"place", program.section}});
    json.push_back({{"name", hook.name},
                    {"required", hook.required},
                    {"lost_without", text(hook.lost_without)},
                    {"or_else", text(hook.or_else)},
                    {"ways", std::move(ways)}});
  }
}

Json hooks_json(const Tool &tool) {
  Json json = Json::array();
  for (const Programs &programs : all_programs_of(tool)) add_hooks(json, programs);
  return json;
}

// The paragraphs of a page that begin with this word.
Json paragraphs_json(const ManualPage &page, std::string_view title) {
  Json json = Json::array();
  for (const std::string_view part : {std::string_view(page.help), std::string_view(page.more)}) {
    for (std::string_view rest = part; !rest.empty();) {
      const size_t end = std::min(rest.find("\n\n"), rest.size());
      if (rest.starts_with(title)) json.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
  }
  return json;
}

// What stands before the cost: what it is for, and a real run.
std::string about(const ManualPage &page) { return page.help.substr(0, page.help.find("\n\nOVERHEAD")); }

// Command lines: what follows "# " in an example, with the lines that continue it.
Json examples_json(const ManualPage &page) {
  Json json = Json::array();
  for (const std::string_view part : {std::string_view(page.help), std::string_view(page.more)}) {
    constexpr std::string_view kPrompt = "\n  # ";
    for (size_t at = part.find(kPrompt); at != std::string_view::npos; at = part.find(kPrompt, at + 1)) {
      std::string_view rest = part.substr(at + kPrompt.size());
      std::string command(rest.substr(0, rest.find('\n')));
      while (command.ends_with('\\') && rest.find('\n') != std::string_view::npos) {
        rest.remove_prefix(rest.find('\n') + 1);
        command.pop_back();
        const std::string_view next = rest.substr(0, rest.find('\n'));
        command += next.substr(std::min(next.find_first_not_of(' '), next.size()));
      }
      json.push_back(command);
    }
  }
  return json;
}

Json losses_json(const Tool &tool) {
  Json json = Json::array();
  for (const View &view : tool.views)
    std::visit(
        [&](const auto &shape) {
          for (const std::string_view loss : shape.losses)
            if (std::find(json.begin(), json.end(), loss) == json.end()) json.push_back(loss);
        },
        view.shape);
  for (const std::string_view loss : tool.stacks.losses) json.push_back(loss);
  return json;
}

Json tool_json(const Tool &tool) {
  const ManualPage page = parse_page(tool.manual);
  Json links = Json::array();
  for (const Link &link : tool.links) links.push_back({{"name", link.name}, {"option", link.argument}});
  Json json = {{"name", tool.name},
               {"summary", tool.summary},
               {"about", about(page)},
               {"more", page.more},
               {"examples", examples_json(page)},
               {"links", std::move(links)},
               {"operands", operands_json(tool)},
               {"options", options_json(tool)},
               {"command", (common_options_of(tool) & kHasCommand) != 0},
               {"formats", words(formats_of(tool))},
               {"views", views_json(tool)},
               {"losses", losses_json(tool)},
               {"hooks", hooks_json(tool)},
               {"cost", paragraphs_json(page, "OVERHEAD")},
               {"caveats", paragraphs_json(page, "CAVEATS")},
               {"schema", schema_of(tool, Keys::kAll)}};
  if ((common_options_of(tool) & kHasColumns) != 0) json["schema_with_columns"] = schema_of(tool, Keys::kNamed);
  return json;
}

}  // namespace

std::string description_of(const Tool &tool) { return dump(tool_json(tool)) + "\n"; }

std::string description_of(std::span<const Tool *const> tools, std::string_view version) {
  Json json = {
      {"version", version}, {"vocabulary", Json::array()}, {"formats", Json::object()}, {"tools", Json::array()}};
  for (const Word &word : kVocabulary)
    json["vocabulary"].push_back({{"key", word.key}, {"unit", text(name_of(word.unit))}, {"meaning", word.meaning}});
  for (const std::string_view format : format_names()) json["formats"][std::string(format)] = describe_format(format);
  for (const Tool *tool : tools) json["tools"].push_back(tool_json(*tool));
  return dump(json) + "\n";
}

}  // namespace strata
