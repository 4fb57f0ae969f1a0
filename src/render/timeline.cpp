// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Followed samples as one page that needs nothing else: where the time went, and each sample as a row with its layers
// as lanes. The data are written as they come, so that memory does not grow with the samples: only what many hops have
// in common is kept, and stands in tables behind them. Rejected: columns, compressed, as a flame graph's page has them:
// all samples would be in memory until the end.
#include <algorithm>
#include <ctime>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "render/formats.h"
#include "render/json_value.h"
#include "render/page.h"
#include "render/text.h"
#include "render/totals.h"
#include "render/value.h"

namespace strata {

PAGE_PART(timeline_css)
PAGE_PART(timeline_html)
PAGE_PART(timeline_data_js)
PAGE_PART(timeline_rows_js)
PAGE_PART(timeline_heat_js)
PAGE_PART(timeline_js)

namespace {

constexpr uint64_t kDay = 24 * 60 * 60 * uint64_t{1'000'000'000};

// No text can end the script element.
std::string json_text(const Json &json) {
  std::string text = dump(json);
  for (size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

// Texts of JSON, each with a number: the first one has 0.
class Numbered {
 public:
  size_t of(std::string json) {
    const auto [it, is_new] = numbers_.emplace(std::move(json), numbers_.size());
    if (is_new) (list_ += list_.empty() ? "" : ",") += it->first;
    return it->second;
  }
  [[nodiscard]] std::string list() const { return "[" + list_ + "]"; }

 private:
  std::unordered_map<std::string, size_t> numbers_;
  std::string list_;
};

// A double has it, and the page writes it as text does.
bool is_number(const NamedValue &field) {
  const auto scales = {Unit::kNone, Unit::kNs, Unit::kBytes, Unit::kOffset, Unit::kSector};
  const bool integer = std::holds_alternative<uint64_t>(field.value) || std::holds_alternative<int64_t>(field.value);
  return integer && std::find(scales.begin(), scales.end(), field.column->unit) != scales.end() &&
         whole(field.value).suffix.empty();
}

Json layers_json(const std::vector<LayerTimes> &layers) {
  Json json = Json::array();
  for (const LayerTimes &times : layers) {
    json.push_back({printable(times.layer), times.background ? 1 : 0, times.depth, times.ns.count(),
                    times.ns.percentile(50), times.ns.percentile(90), times.ns.percentile(99), times.ns.max(),
                    times.ns.sum()});
  }
  return json;
}

class TimelineSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info);
  void on(const Sample &sample);
  void on(const Losses &losses) {
    for (const Loss &loss : losses.of) about_["losses"].push_back(lost_text(loss));
  }
  void on(const Summary &summary);
  void on(const End &end) { put_end(end.reason); }
  void on(const Failed &) {  // what has come is there to be looked at
    about_["losses"].push_back("an error ended the run: what was lost is not known");
    put_end(EndReason::kError);
  }

 private:
  void add_fields(std::string &line, const std::vector<NamedValue> &fields);
  void put_end(EndReason reason);

  Clocks clocks_;
  Json about_;
  Numbered outcomes_, columns_, texts_, kinds_, tasks_;
  bool any_ = false;  // a sample was written
  uint64_t first_ns_ = UINT64_MAX, last_ns_ = 0;
};

void TimelineSink::on(const RunInfo &info) {
  clocks_ = info.head.clocks;
  const std::string program = printable(info.head.program);
  const auto seconds = static_cast<time_t>(clocks_.realtime_ns / 1'000'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  const uint64_t day_ns =
      (uint64_t(local.tm_hour) * 3600 + uint64_t(local.tm_min) * 60 + uint64_t(local.tm_sec)) * 1'000'000'000 +
      clocks_.realtime_ns % 1'000'000'000;
  about_ = {{"title", program},        {"run", run_text(info.head)}, {"notes", Json::array()},
            {"losses", Json::array()}, {"layers", Json::array()},    {"day_ns", day_ns % kDay}};
  const std::string title = xml_text(program) + ": timeline";
  const std::string style = page_style() + timeline_css_text(), body = timeline_html_text();
  write(page_before_data({.title = title, .style = style, .body = body, .data_type = "application/json"}));
  write("[");
}

// Of each a column and a number, the column as -1, -2, ...; or the number of a text, which has its column with it.
void TimelineSink::add_fields(std::string &line, const std::vector<NamedValue> &fields) {
  for (const NamedValue &field : fields) {
    if (std::holds_alternative<std::monostate>(field.value)) continue;
    const Field &column = *field.column;
    const int unit = column.unit == Unit::kNs ? 1 : column.unit == Unit::kBytes ? 2 : 0;
    const std::string label = column.title.empty() ? "" : label_of(column);
    const size_t number = columns_.of(json_text({column.key, label, unit, column.hidden ? 1 : 0}));
    if (is_number(field)) {
      line += ",-" + std::to_string(number + 1) + "," + dump(to_json(field.value));
    } else {
      line += "," + std::to_string(texts_.of(json_text({number, value_text(column, field.value, clocks_)})));
    }
  }
}

// Its number, outcome and reason, its start since that of the run, what the application waited for, its total; a list
// with the number of hops and its fields; a list for each hop: kind, time since the hop before, CPU, task, fields.
void TimelineSink::on(const Sample &sample) {
  const Outcome &outcome = *sample.outcome;
  const auto since = [](uint64_t to, uint64_t from) { return std::to_string(static_cast<int64_t>(to - from)); };
  std::string line = std::exchange(any_, true) ? ",\n[" : "\n[";
  line += std::to_string(sample.id) + "," +
          std::to_string(outcomes_.of(json_text({outcome.key, outcome.name, outcome.is_good ? 1 : 0}))) + "," +
          json_text(printable(sample.reason)) + "," + since(sample.start_ns, clocks_.monotonic_ns) + "," +
          std::to_string(sample.seen_ns) + "," + std::to_string(sample.total_ns) + ",[" +
          std::to_string(sample.hops.size());
  add_fields(line, sample.fields);
  line += "]";
  uint64_t before_ns = sample.start_ns;
  for (const Hop &hop : sample.hops) {
    const Json kind = {printable(hop.layer), printable(hop.name), printable(hop.spent_in), hop.background ? 1 : 0};
    const size_t task = tasks_.of(json_text({safe_text(Unit::kNone, hop.comm), hop.tid}));
    line += ",[" + std::to_string(kinds_.of(json_text(kind))) + "," + since(hop.ts_ns, before_ns) + "," +
            std::to_string(hop.cpu) + "," + std::to_string(task);
    add_fields(line, hop.fields);
    line += "]";
    before_ns = hop.ts_ns;
  }
  first_ns_ = std::min(first_ns_, sample.start_ns);
  last_ns_ = std::max(last_ns_, sample.start_ns + sample.total_ns);
  write(line + "]");
}

void TimelineSink::on(const Summary &summary) {
  about_["layers"] = layers_json(summary.layers);
  about_["sampled"] = summary.account.sampled;
  about_["account"] = account_text(summary.account);
  if (!summary.attach_mode.empty()) about_["notes"].push_back("by " + printable(summary.attach_mode));
  if (summary.rest)
    about_["rest"] = {{"text", rest_text(*summary.rest)}, {"layers", layers_json(summary.rest->layers)}};
}

void TimelineSink::put_end(EndReason reason) {
  about_["reason"] = name_of(reason);
  if (any_) about_["span"] = span_text(clocks_, first_ns_, last_ns_);
  write((any_ ? ",\n" : "\n") + json_text(about_));
  for (const Numbered *table : {&outcomes_, &columns_, &texts_, &kinds_, &tasks_}) write(",\n" + table->list());
  write("]\n");
  const std::string script =
      page_script() + timeline_data_js_text() + timeline_rows_js_text() + timeline_heat_js_text() + timeline_js_text();
  write(page_after_data({.script = script}));
}

}  // namespace

std::unique_ptr<Sink> make_timeline_sink(Writer writer) { return std::make_unique<TimelineSink>(std::move(writer)); }

}  // namespace strata
