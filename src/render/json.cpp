// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Newline-delimited JSON: one object per line, each with its type. Keys are an API.
#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/text.h"
#include "render/formats.h"
#include "render/json_value.h"
#include "render/judgement.h"
#include "render/percentiles.h"
#include "render/totals.h"
#include "render/value.h"

namespace strata {

using std::literals::operator""sv;

namespace {

Json layer_json(const LayerTimes &times, uint64_t whole_ns) {
  return {{"layer", times.layer},
          {"behind", times.background},
          {"count", times.ns.count()},
          {"p50_ns", times.ns.percentile(50)},
          {"p90_ns", times.ns.percentile(90)},
          {"p99_ns", times.ns.percentile(99)},
          {"max_ns", times.ns.max()},
          {"share", share_percent(times, whole_ns) / 100}};
}

Json layers_json(const std::vector<LayerTimes> &layers) {
  const uint64_t whole_ns = whole_time_ns(layers);
  Json json = Json::array();
  for (const LayerTimes &times : layers) json.push_back(layer_json(times, whole_ns));
  return json;
}

Json labels_json(const std::vector<LabelTimes> &labels) {
  Json json = Json::array();
  const auto whole_ns = [](double ns) { return static_cast<uint64_t>(ns + 0.5); };
  for (const LabelTimes &times : labels) {
    Json layers = Json::array();
    for (const LabelTimes::Part &part : times.parts)
      layers.push_back(
          {{"layer", part.layer}, {"median_ns", whole_ns(part.median_ns)}, {"slowest_ns", whole_ns(part.slowest_ns)}});
    json.push_back({{"label", nullptr},
                    {"count", times.ns.count()},
                    {"p50_ns", times.ns.percentile(50)},
                    {"p99_ns", times.ns.percentile(99)},
                    {"max_ns", times.ns.max()},
                    {"layers", std::move(layers)}});
    if (times.label) json.back()["label"] = to_json(Value(*times.label));
  }
  return json;
}

Json account_json(const Account &account) {
  Json json = {{"sampled", account.sampled}};
  for (const Outcome *outcome : account.outcomes) {
    Json &count = json[std::string(outcome->key)];
    if (outcome->counts_by_reason())
      count = Json::object();
    else
      count = account.of(*outcome);
  }
  for (const Account::Count &one : account.counts)
    if (one.outcome->counts_by_reason()) json[std::string(one.outcome->key)][one.reason] = one.n;
  return json;
}

// What a recording of format 1 does not say is null.
Json run_json(const RunInfo &info) {
  const RecordingHead &head = info.head;
  const auto text = [](const std::string &said) { return said.empty() ? Json() : Json(said); };
  return {{"type", "run"},
          {"tool", info.tool},
          {"version", text(head.version)},
          {"host", text(head.host)},
          {"kernel", text(head.kernel)},
          {"options", head.has_options ? Json(head.options) : Json()},
          {"command", head.command.empty() ? Json() : Json(head.command)},
          {"replay", info.replay},
          {"clock", {{"monotonic_ns", head.clocks.monotonic_ns}, {"realtime_ns", head.clocks.realtime_ns}}}};
}

void append_value_json(std::string &out, const Value &value) {
  if (const auto *code = std::get_if<LazyText>(&value)) return append_value_json(out, code->str());
  const auto *text = std::get_if<std::string>(&value);
  if (const auto *number = std::get_if<uint64_t>(&value)) {
    char digits[20];
    out.append(digits, std::to_chars(std::begin(digits), std::end(digits), *number).ptr);
  } else if (text && plain_prefix(*text) == text->size() && text->find('"') == std::string::npos) {
    ((out += '"') += *text) += '"';
  } else {
    out += std::holds_alternative<std::monostate>(value) ? "null" : dump(to_json(value));
  }
}

// Behind its key, which does not show all.
[[gnu::noinline]] void append_whole_json(std::string &out, std::string_view key, const Whole &all) {
  (((((out += ",\"") += key) += all.suffix) += "\":\"") += all.text) += '"';
}

// Functions, or words, each with its end.
[[gnu::noinline]] void append_list_json(std::string &out, const Field &column, const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    out += "null";
  } else if (column.unit == Unit::kStack) {
    out += dump(Json(frames_of(*text)));
  } else {
    std::vector<std::string_view> words = split(*text, '\0');
    words.pop_back();
    out += dump(Json(words));
    const Value whole_words = text->substr(0, text->rfind('\0') + 1);
    if (const Whole all = whole(whole_words); !all.suffix.empty()) append_whole_json(out, column.key, all);
  }
}

// Views: the length of the others is counted each time.
void append_key(std::string &out, std::string_view key) { ((out += ",\""sv) += key) += "\":"sv; }

void append_member(std::string &out, std::string_view key, const Value &value) {
  append_key(out, key);
  append_value_json(out, value);
}

// The same, and all of it where that does not show all.
void append_field(std::string &out, const Field &column, const Value &value) {
  if (is_absent(column, value)) return append_member(out, column.key, {});
  append_member(out, column.key, value);
  if (const Whole all = whole(value); !all.suffix.empty()) append_whole_json(out, column.key, all);
}

void append_fields(std::string &out, const std::vector<NamedValue> &fields) {
  for (const NamedValue &field : fields) append_field(out, *field.column, field.value);
}

constexpr Field kHopComm = {.key = "comm"};

void append_hop(std::string &out, const Sample &sample, size_t i, const Clocks &clocks) {
  const Hop &hop = sample.hops[i];
  const uint64_t before_ns = i == 0 ? sample.start_ns : sample.hops[i - 1].ts_ns;
  out += R"({"layer":)"sv;
  append_value_json(out, std::string(hop.layer));
  append_member(out, "name", hop.name);
  append_member(out, "time_ns", clocks.wall_ns(hop.ts_ns));
  append_member(out, "since_start_ns", hop.ts_ns - sample.start_ns);
  append_member(out, "since_last_ns", hop.ts_ns - before_ns);
  append_member(out, "cpu", uint64_t{hop.cpu});
  append_member(out, "tid", uint64_t{hop.tid});
  append_field(out, kHopComm, hop.comm);
  append_key(out, "behind");
  out += hop.background ? "true"sv : "false"sv;
  append_fields(out, hop.fields);
  out += '}';
}

// A member of a row, with a comma in front. As text: to build an object for each row takes many times as long.
void append_column(std::string &out, const Field &column, const Value &value, const Clocks &clocks) {
  if (is_end_of_interval(column)) return;
  if (column.unit == Unit::kWallNs && !is_absent(column, value)) {
    append_member(out, column.key, stored(column, value, clocks));
  } else if (column.unit == Unit::kStack || column.unit == Unit::kWords) {
    append_key(out, column.key);
    append_list_json(out, column, value);
  } else {
    append_field(out, column, value);
  }
}

void append_row(std::string &out, Schema columns, const Row &row, const Clocks &clocks) {
  for (size_t i = 0; i < columns.size(); i++) append_column(out, columns[i], row[i], clocks);
}

std::string gate_line(const Judged &one, const Clocks &clocks) {
  const auto text = [](const std::string &said) { return said.empty() ? Json() : Json(said); };
  std::string line = dump({{"type", "gate"},
                           {"gate", one.gate},
                           {"name", text(one.name)},
                           {"verdict", name_of(one.verdict)},
                           {"metric", one.metric},
                           {"wanted", text(one.wanted)},
                           {"value_unit", one.unit == Unit::kNs      ? Json("ns")
                                          : one.unit == Unit::kBytes ? Json("bytes")
                                                                     : Json()},
                           {"values", one.values},
                           {"baseline", one.baseline ? Json(*one.baseline) : Json()},
                           {"why", text(one.why)},
                           {"left_out", one.evidence.more}});
  line.back() = ',';
  line += R"("rows":[)"sv;
  for (const Row &row : one.evidence.rows) {
    std::string members;
    append_row(members, one.evidence.columns, row, clocks);
    members.front() = '{';
    ((line += line.back() == '[' ? ""sv : ","sv) += members) += '}';
  }
  return line + "]}\n";
}

class JsonSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) {
    clocks_ = info.head.clocks;
    if (info.distributions && !info.columns.empty()) keys_ = info.columns.subspan(1);
    chosen_ = info.data;
    put_line(run_json(info));
  }

  void on(const DecodedRow &one) { put_row(R"({"type":"event")", one.columns, one.row); }

  void on(const Table &table) {
    std::string head =
        dump({{"type", "row"}, {"from_ns", clocks_.wall_ns(table.from_ns)}, {"to_ns", clocks_.wall_ns(table.to_ns)}});
    head.pop_back();
    for (const Row &row : table.rows) put_row(head, table.columns, row);
  }

  // As text, like a row.
  void on(const Sample &sample) {
    line_ = R"({"type":"sample")"sv;
    append_member(line_, "id", sample.id);
    append_member(line_, "outcome", std::string(sample.outcome->key));
    append_member(line_, "reason", sample.reason.empty() ? Value() : Value(sample.reason));
    append_member(line_, "time_ns", clocks_.wall_ns(sample.start_ns));
    append_member(line_, "seen_ns", sample.seen_ns);
    append_member(line_, "total_ns", sample.total_ns);
    append_fields(line_, sample.fields);
    append_key(line_, "hops");
    line_ += '[';
    for (size_t i = 0; i < sample.hops.size(); i++) {
      if (i != 0) line_ += ',';
      append_hop(line_, sample, i, clocks_);
    }
    line_ += "]}\n"sv;
    rows_++;
    write(line_);
  }

  void on(const Distribution &distribution) {
    const Histogram &values = distribution.values;
    Json slots = Json::array();
    for (uint32_t slot = 0; slot < values.slots().size(); slot++) {
      if (values.slots()[slot] == 0) continue;
      slots.push_back(
          {{"low", Histogram::slot_low(slot)}, {"high", Histogram::slot_high(slot)}, {"count", values.slots()[slot]}});
    }
    Json json = {{"type", "histogram"}, {"of", distribution.column->key}};
    for (const Field &key : keys_) json[std::string(key.key)] = nullptr;
    put_fields(json, distribution.keys);
    json.update({{"from_ns", clocks_.wall_ns(distribution.from_ns)},
                 {"to_ns", clocks_.wall_ns(distribution.to_ns)},
                 {"count", values.count()},
                 {"sum", values.sum()}});
    put_field(json, "avg", average_of(*distribution.column, values));
    json["sum_error"] = values.sum_is_estimate() ? kSumError : 0;
    for (const Percentile &one : kPercentiles) json[std::string(one.key)] = values.percentile(one.p);
    json["percentile_error"] = kPercentileError;
    json["slots"] = std::move(slots);
    rows_++;
    put_line(json);
  }

  void on(const Printed &printed) {
    if (printed.type == &kAttachedLine) return;  // of another form
    if (printed.type == nullptr && printed.row.keys.empty()) return;
    Json json = {{"type", printed.type != nullptr ? printed.type->name : "event"}};
    if (printed.type != nullptr) json["data"] = to_json(printed.data);
    for (size_t i = 0; i < printed.row.keys.size(); i++) {
      const std::string &key = printed.row.keys[i];
      const Word *word = word_of(key);
      if (word != nullptr && word->unit == Unit::kWallNs)  // without its digits, as everywhere
        json[key] = to_json(printed.row.values[i]);
      else
        put_field(json, key, printed.row.values[i]);
    }
    rows_++;
    put_line(json);
  }

  void on(const Judgement &judgement) {
    for (const Judged &one : judgement.gates) {
      rows_++;
      write(gate_line(one, clocks_));
    }
  }

  void on(const Losses &losses) {
    lost_ = Json::object();
    for (const Loss &loss : losses.of) lost_[loss.reason] = loss.count;
  }

  void on(const Summary &summary) {
    summary_ = {{"way", summary.attach_mode},
                {"layers", layers_json(summary.layers)},
                {"account", account_json(summary.account)}};
    if (!summary.labels.empty()) summary_["labels"] = labels_json(summary.labels);
    if (const auto &rest = summary.rest)
      summary_["rest"] = {
          {"samples", rest->samples}, {"total_ns", rest->total_ns}, {"layers", layers_json(rest->layers)}};
  }

  // The last line: a reader that sees it knows that the run ended, and what it does not know.
  void on(const End &end) { put_end(end.reason); }
  void on(const Failed &) { put_end(EndReason::kError); }

 private:
  void put_row(std::string_view head, Schema columns, const Row &row) {
    line_ = head;
    if (chosen_.empty()) append_row(line_, columns, row, clocks_);
    for (const size_t i : chosen_) append_column(line_, columns[i], row[i], clocks_);
    line_ += "}\n"sv;
    rows_++;
    write(line_);
  }
  void put_end(EndReason reason) {
    Json json = {{"type", "end"}, {"reason", name_of(reason)}, {"rows", rows_}, {"lost", lost_}};
    json.update(summary_);
    put_line(json);
  }
  void put_line(const Json &json) { write(dump(json) + "\n"); }

  Clocks clocks_;
  Schema keys_;                 // of the histograms: one that does not tell two apart is null
  std::vector<size_t> chosen_;  // of the columns, by --columns; else a row has all
  std::string line_;            // its memory serves every row
  uint64_t rows_ = 0;
  Json lost_;  // null: an error came before it was known
  Json summary_ = Json::object();
};

}  // namespace

std::unique_ptr<Sink> make_json_sink(Writer writer) { return std::make_unique<JsonSink>(std::move(writer)); }

}  // namespace strata
