// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/schema.h"

#include <algorithm>

#include "base/end_reason.h"
#include "model/record.h"
#include "model/table.h"
#include "render/judgement.h"
#include "render/percentiles.h"
#include "run/task_groups.h"

namespace strata {
namespace {

Json typed(std::string_view type) { return {{"type", type}}; }

// The values of a column in its schema.
Json value_schema(const Field &column, bool nullable) {
  const std::string_view type = is_list(column) ? "array" : type_name(type_of(column));
  Json json = Json::object();
  if (!type.empty()) json["type"] = nullable ? Json::array({type, "null"}) : Json(type);
  if (is_list(column)) json["items"] = typed("string");
  json["description"] = column.help;
  return json;
}

// An object of exactly these keys.
class ObjectSchema {
 public:
  explicit ObjectSchema(std::string_view type) { add("type", {{"const", type}}); }
  ObjectSchema() = default;

  void add(std::string_view key, Json schema) {
    required_.push_back(key);
    properties_[std::string(key)] = std::move(schema);
  }
  void add_optional(const std::string &key, Json schema) { properties_[key] = std::move(schema); }

  void add(const Field &column, bool nullable) {
    add(column.key, value_schema(column, nullable));
    add_whole(column);
  }
  void add_column(std::string_view key, Json schema) {
    columns_.push_back(key);
    properties_[std::string(key)] = std::move(schema);
  }
  void add_column(const Field &column, bool nullable) {
    add_column(column.key, value_schema(column, nullable));
    add_whole(column);
  }

  // What stands behind a key that does not show all (render/json_value.h).
  void add_whole(const Field &column) {
    const std::string key(column.key);
    const Type type = type_of(column);
    if (type == Type::kText || type == Type::kAny) add_optional(key + "_bytes", typed("string"));
    if (type == Type::kInteger || type == Type::kAny) add_optional(key + "_digits", typed("string"));
  }

  [[nodiscard]] Json json(Keys keys = Keys::kAll) const {
    Json required = required_;
    if (keys == Keys::kAll) required.insert(required.end(), columns_.begin(), columns_.end());
    return {{"type", "object"}, {"properties", properties_}, {"required", required}, {"additionalProperties", false}};
  }

 private:
  Json properties_ = Json::object(), required_ = Json::array(), columns_ = Json::array();
};

Json nullable(std::string_view type) { return {{"type", {type, "null"}}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json described(Json schema, std::string_view help) {
  schema["description"] = help;
  return schema;
}

Json run_schema(const Tool &tool) {
  ObjectSchema clock, run("run");
  clock.add("monotonic_ns", typed("integer"));
  clock.add("realtime_ns", typed("integer"));
  run.add("tool", tool.replays ? described(typed("string"), "that has recorded; replay itself with --that")
                               : Json{{"const", tool.name}});
  for (const std::string_view key : {"version", "host", "kernel"}) run.add(key, nullable("string"));
  for (const std::string_view key : {"options", "command"})
    run.add(key, {{"type", {"array", "null"}}, {"items", typed("string")}});
  run.add("replay", typed("boolean"));
  run.add("clock", clock.json());
  return run.json();
}

Json layer_schema() {
  ObjectSchema layer;
  layer.add("layer", typed("string"));
  layer.add("behind", typed("boolean"));
  for (const std::string_view key : {"count", "p50_ns", "p90_ns", "p99_ns", "max_ns"}) layer.add(key, typed("integer"));
  layer.add("share", typed("number"));
  return layer.json();
}

// Of a label, where samples have one: of one of those about the median, and of the slowest 1 %.
Json label_schema() {
  ObjectSchema layer, label;
  layer.add("layer", typed("string"));
  for (const std::string_view key : {"median_ns", "slowest_ns"}) layer.add(key, typed("integer"));
  label.add("label", described(nullable("string"), "null: of those without, and beyond the first 200"));
  for (const std::string_view key : {"count", "p50_ns", "p99_ns", "max_ns"}) label.add(key, typed("integer"));
  label.add("layers", list_of(layer.json()));
  return label.json();
}

Json counts_schema() { return {{"type", "object"}, {"additionalProperties", typed("integer")}}; }

Json end_schema(bool samples) {
  ObjectSchema end("end");
  end.add("reason", {{"enum", kEndReasons}});
  end.add("rows", typed("integer"));
  Json lost = counts_schema();
  lost["type"] = {"object", "null"};
  end.add("lost", std::move(lost));
  if (!samples) return end.json();
  const Json account = {{"type", "object"}, {"additionalProperties", {{"anyOf", {typed("integer"), counts_schema()}}}}};
  // An error may end the run before there is an account.
  end.add_optional("way", typed("string"));
  end.add_optional("layers", list_of(layer_schema()));
  end.add_optional("account", account);
  end.add_optional("labels", list_of(label_schema()));
  ObjectSchema rest;
  for (const std::string_view key : {"samples", "total_ns"}) rest.add(key, typed("integer"));
  rest.add("layers", list_of(layer_schema()));
  end.add_optional("rest", rest.json());  // of a run with a threshold
  return end.json();
}

// Of the row's process: there if they are named (run/task_groups.h).
void add_owners(ObjectSchema &row, Schema columns) {
  for (const Field &owner : owners_beside(columns)) {
    row.add_optional(std::string(owner.key), value_schema(owner, true));
    row.add_whole(owner);
  }
}

// Others have no key; where no column of the key is a text, the first one says that they are others.
Json row_schema(const View &view, bool interval, bool stacks, Keys keys) {
  ObjectSchema row(interval ? "row" : "event");
  if (!interval) row.add_optional("host", described(typed("string"), "of recordings of several hosts: strata merge"));
  if (interval) {
    row.add("from_ns", typed("integer"));
    row.add("to_ns", typed("integer"));
  }
  const bool table = std::holds_alternative<TableSpec>(view.shape);
  for (const Field &column : columns_in_json(view)) {
    if (!table || type_of(column) != Type::kInteger) {
      row.add_column(column, table || may_be_null(column));
    } else {
      row.add_column(column.key,
                     {{"anyOf", {nullable("integer"), Json{{"const", kOthers}}}}, {"description", column.help}});
      row.add_whole(column);
    }
  }
  if (stacks) row.add_optional(std::string(kEventStack.key), value_schema(kEventStack, true));
  add_owners(row, columns_in_json(view));
  return row.json(keys);
}

Json histogram_schema(std::span<const Field> columns) {
  ObjectSchema slot, histogram("histogram");
  histogram.add("of", {{"const", columns.front().key}});
  for (const Field &column : columns.subspan(1)) histogram.add(column, true);
  add_owners(histogram, columns);
  for (const std::string_view key : {"from_ns", "to_ns", "count", "sum"}) histogram.add(key, typed("integer"));
  for (const std::string_view key : {"avg", "sum_error"}) histogram.add(key, typed("number"));
  for (const Percentile &one : kPercentiles) histogram.add(one.key, typed("integer"));
  histogram.add("percentile_error", typed("number"));
  for (const std::string_view key : {"low", "high", "count"}) slot.add(key, typed("integer"));
  histogram.add("slots", list_of(slot.json()));
  return histogram.json();
}

Json view_schema(const View &view, bool stacks, Keys keys) {
  if (std::holds_alternative<HistogramSpec>(view.shape)) return histogram_schema(columns_in_json(view));
  const bool events = std::holds_alternative<EventSpec>(view.shape);
  return row_schema(view, !events, events && stacks, keys);
}

// A hop has the fields of its layer alone.
Json hop_schema(std::span<const Field *const> fields) {
  ObjectSchema hop;
  for (const std::string_view key : {"layer", "name"}) hop.add(key, typed("string"));
  for (const std::string_view key : {"time_ns", "since_start_ns", "since_last_ns", "cpu", "tid"})
    hop.add(key, typed("integer"));
  hop.add("comm", nullable("string"));
  hop.add_optional("comm_bytes", typed("string"));
  hop.add("behind", typed("boolean"));
  for (const Field *field : fields) {
    hop.add_optional(std::string(field->key), value_schema(*field, true));
    hop.add_whole(*field);
  }
  return hop.json();
}

Json sample_schema(const Followed &followed, Keys keys) {
  ObjectSchema sample("sample");
  sample.add("id", typed("integer"));
  sample.add("outcome", typed("string"));
  sample.add("reason", nullable("string"));
  for (const std::string_view key : {"time_ns", "seen_ns", "total_ns"}) sample.add(key, typed("integer"));
  const std::vector<Field> columns = columns_of(followed);
  for (const Field &column : columns) sample.add_column(column, true);
  add_owners(sample, columns);
  sample.add("hops", list_of(hop_schema(followed.hop)));
  return sample.json(keys);
}

Json event_schema(std::span<const Field> fields, Keys keys) {
  ObjectSchema event("event");
  for (const Field &column : columns_of(fields)) event.add_column(column, true);
  add_owners(event, fields);
  return event.json(keys);
}

// What a map has, without keys or by each.
Json map_schema(const Json &value) {
  const Json by_key = {{"type", "object"}, {"additionalProperties", value}};
  return {{"type", "object"},
          {"additionalProperties", {{"anyOf", {value, by_key}}}},
          {"minProperties", 1},
          {"maxProperties", 1}};
}

Json data_schema(PrintedData data) {
  ObjectSchema bucket, interval, stats;
  switch (data) {
    case PrintedData::kText:
      return typed("string");
    case PrintedData::kAny:
      return Json::object();
    case PrintedData::kMap:
      return map_schema({{"type", {"integer", "string", "boolean", "array", "object", "null"}}});
    case PrintedData::kHistograms:  // one that is open has one bound
      for (const char *key : {"min", "max"}) bucket.add_optional(key, typed("integer"));
      bucket.add("count", typed("integer"));
      return map_schema(list_of(bucket.json()));
    case PrintedData::kSeries:
      for (const std::string_view key : {"interval_start", "value"}) interval.add(key, typed("integer"));
      return map_schema(list_of(interval.json()));
    case PrintedData::kStats:
      for (const std::string_view key : {"count", "average", "total"}) stats.add(key, typed("integer"));
      return map_schema(stats.json());
  }
  return Json::object();
}

Json printed_schema(const PrintedType &type) {
  ObjectSchema line(type.name);
  Json data = data_schema(type.data);
  data["description"] = type.help;
  line.add("data", std::move(data));
  return line.json();
}

// A verdict (render/json.cpp), with rows of any tool.
Json gate_schema() {
  const Json row = {{"type", "object"}, {"description", "a row of the tool that measured, as that prints it"}};
  ObjectSchema gate("gate");
  gate.add("gate", described(typed("string"), "what has to hold, as it was typed"));
  gate.add("name", described(nullable("string"), "of a gate of a file"));
  gate.add("verdict", {{"enum", Json::array()}, {"description", "invalid: neither, and why says the reason"}});
  gate.add("metric", described(typed("string"), "what was measured (strata check --metrics)"));
  gate.add("wanted", described(nullable("string"), "null: nothing was demanded"));
  gate.add("value_unit", {{"enum", {"ns", "bytes", nullptr}}, {"description", "of the values; null: a count"}});
  gate.add("values", described(list_of(typed("integer")), "of each run, or one of all of them"));
  gate.add("baseline", described(nullable("integer"), "the number that it was compared with"));
  gate.add("why", described(nullable("string"), "of one that is invalid"));
  gate.add("left_out", described(typed("integer"), "rows that are not here"));
  gate.add("rows", described(list_of(row), "what the verdict rests on"));
  Json json = gate.json();
  for (const Verdict one : {Verdict::kMeasured, Verdict::kHolds, Verdict::kFails, Verdict::kInvalid})
    json["properties"]["verdict"]["enum"].push_back(name_of(one));
  return json;
}

// Rejected: the lines of all tools that record, which is half of what `help --json` says, once more.
Json replayed_schema(std::string_view type) {
  return {{"type", "object"},
          {"description", "as the schema of the tool that the run names says"},
          {"properties", {{"type", {{"const", type}}}}},
          {"required", {"type"}}};
}

}  // namespace

std::vector<Field> columns_in_json(const View &view) {
  std::vector<Field> columns = columns_of(record_of(view).fields);
  std::erase_if(columns, is_end_of_interval);
  return columns;
}

std::string_view type_name(Type type) {
  switch (type) {
    case Type::kInteger:
      return "integer";
    case Type::kNumber:
      return "number";
    case Type::kText:
      return "string";
    case Type::kFlag:
      return "boolean";
    case Type::kAny:
      return "";
  }
  return "";
}

bool is_list(const Field &column) { return column.unit == Unit::kStack || column.unit == Unit::kWords; }

bool may_be_null(const Field &column) {
  const bool empty = type_of(column) == Type::kText && !column.may_be_empty;
  return empty || column.kind == Kind::kNone || column.optional || column.decode.write != nullptr;
}

std::vector<OwnLine> own_lines_of(const Tool &tool) {
  std::vector<OwnLine> lines;
  if (!tool.json_rows.empty()) {
    lines.push_back({.type = "event",
                     .schema = event_schema(tool.json_rows, Keys::kAll),
                     .columns = with_owners({tool.json_rows.begin(), tool.json_rows.end()})});
  }
  for (const std::span<const Field> columns : tool.json_histograms)
    lines.push_back(
        {.type = "histogram", .schema = histogram_schema(columns), .columns = {columns.begin(), columns.end()}});
  for (const PrintedType *type : tool.printed) lines.push_back({.type = type->name, .schema = printed_schema(*type)});
  if (tool.judges) lines.push_back({.type = "gate", .schema = gate_schema()});
  return lines;
}

Json schema_of(const Tool &tool, Keys keys) {
  Json lines = Json::array({run_schema(tool)});
  for (const View &view : tool.views) lines.push_back(view_schema(view, tool.stacks.elf != nullptr, keys));
  for (const Followed &one : tool.followed) lines.push_back(sample_schema(one, keys));
  if (!tool.fields.empty()) lines.push_back(event_schema(tool.fields, keys));
  for (const OwnLine &one : own_lines_of(tool)) lines.push_back(one.schema);
  if (tool.replays) lines.push_back(replayed_schema("event"));
  if (tool.replays && tool.followed.empty())
    for (const std::string_view type : {"row", "histogram", "sample"}) lines.push_back(replayed_schema(type));
  lines.push_back(end_schema(!tool.followed.empty() || tool.replays));
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "a line of strata " + std::string(tool.name) + " --json"},
          {"anyOf", std::move(lines)}};
}

}  // namespace strata
