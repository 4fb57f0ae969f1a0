// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a run has counted since it began, for Prometheus and whatever reads the like (OpenMetrics 1.0). A counter for
// each column of numbers that add up, by the other columns that are shown; a distribution is a histogram of classic
// buckets. A file is replaced as a whole after each interval, for the text-file collector of node_exporter.
//
// That collector reads the older text format, where the name of a counter's family ends with _total, too; else it has
// neither its type nor its help, and drops a second file's. So FILE.prom has the names of that format.
//
// Rejected: a gauge for what does not add up, averages and percentages of an interval: of several rows that have the
// same labels there is none.
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/table.h"
#include "render/formats.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr uint64_t kIntervalNs = 15'000'000'000;  // as many scrape, unless --interval says another
constexpr size_t kMostRows = 1000;                // series of a counter
constexpr size_t kMostHistograms = 200;           // each has some 30 series

using Labels = std::vector<std::pair<std::string, std::string>>;  // names and values

// Of a unit, in the base unit of OpenMetrics: `per_unit` of ours are one of those.
struct Scale {
  std::string_view base;  // empty: none
  uint64_t per_unit = 1;
  int first_power = 0, last_power = 30;  // of 2: the upper bounds of buckets are these, less one
};

Scale scale_of(const Field &column) {
  switch (column.unit) {
    case Unit::kNs:
      return {.base = "seconds", .per_unit = 1'000'000'000, .first_power = 8, .last_power = 36};  // 0.3 us to 69 s
    case Unit::k32nds:
      return {.base = "seconds", .per_unit = 32, .last_power = 5};
    case Unit::kBytes:
    case Unit::kOffset:
      return {.base = "bytes"};
    default:
      return {};
  }
}

// A canonical number of OpenMetrics: the shortest text that is it, "1.0", "1.023e-06".
std::string canonical(double number) {
  char text[64];
  const bool plain = number == 0 || (number >= 1e-4 && number < 1e6);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const std::string canonical(text, std::to_chars(text, text + sizeof(text), number, format).ptr);
  return canonical.find_first_of(".e") == std::string::npos ? canonical + ".0" : canonical;
}

// "1.5" of 1,500,000,000 ns: no digit is lost.
std::string exact(uint64_t number, const Scale &scale) {
  std::string text = std::to_string(number / scale.per_unit);
  uint64_t rest = number % scale.per_unit;
  if (rest != 0) text += '.';
  for (; rest != 0; rest = rest * 10 % scale.per_unit) text += static_cast<char>('0' + rest * 10 / scale.per_unit);
  return text;
}

// The value of a label, which has no control characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string labels_text(const Labels &labels) {
  std::string text;
  for (const auto &[name, value] : labels) {
    if (value.empty()) continue;  // no value is no label
    text += (text.empty() ? "{" : ",") + name + "=\"" + escaped(value) + "\"";
  }
  return text.empty() ? "" : text + "}";
}

Labels with_label(Labels labels, std::string name, std::string value) {
  labels.emplace_back(std::move(name), std::move(value));
  return labels;
}

// What is known of each set of labels; of those for which there is no room, together.
template <typename Sum>
class Series {
 public:
  explicit Series(size_t most) : most_(most) {}

  Sum &of(Labels labels) {
    if (all_.size() >= most_ && !all_.contains(labels))
      for (auto &[name, value] : labels) value = kOthers;
    return all_[std::move(labels)];
  }
  [[nodiscard]] const std::map<Labels, Sum> &all() const { return all_; }

 private:
  size_t most_;
  std::map<Labels, Sum> all_;
};

class OpenMetricsSink final : public Sink {
 public:
  explicit OpenMetricsSink(Writer own)
      : Sink(std::move(own)), replaces_(writer().replaceable()), older_(writer().name().ends_with(".prom")) {}

  void put(const Item &item) override { dispatch(*this, item); }

  void flush() override {
    if (std::exchange(changed_, false) && replaces_) writer().replace(exposition());
  }

  [[nodiscard]] uint64_t interval_ns() const override { return replaces_ ? kIntervalNs : 0; }
  [[nodiscard]] bool replaces_file() const override { return replaces_; }

  void on(const RunInfo &info) {
    info_ = info;
    changed_ = true;  // there is a run, and it has counted nothing
  }

  void on(const Table &table) {
    for (const Row &row : table.rows) add(row);
    left_out_ += table.left_out;
    changed_ = true;
  }

  void on(const Distribution &distribution) {
    Labels labels;
    for (const NamedValue &key : distribution.keys)
      labels.emplace_back(key.column->key, text_of(*key.column, key.value));
    histograms_.of(std::move(labels)).merge(distribution.values);
  }

  void on(const Interval &interval) {
    left_out_ += interval.left_out;
    changed_ = true;
  }

  void on(const LossesUntilNow &losses) { add(losses.of); }
  void on(const Losses &losses) { add(losses.of); }

  void on(const End &) {
    changed_ = true;
    if (replaces_)
      flush();
    else
      write(exposition());
  }

 private:
  using Sums = std::vector<std::optional<uint64_t>>;  // of each counter; none: it never had a value

  [[nodiscard]] std::string text_of(const Field &column, const Value &value) const {
    return value_text(column, value, info_.head.clocks);
  }

  void add(const Row &row) {
    Labels labels;
    for (const size_t i : info_.labels) labels.emplace_back(info_.columns[i].key, text_of(info_.columns[i], row[i]));
    Sums &sums = rows_.of(std::move(labels));
    sums.resize(info_.counters.size());
    for (size_t i = 0; i < sums.size(); i++)
      if (const auto *number = std::get_if<uint64_t>(&row[info_.counters[i]])) sums[i] = sums[i].value_or(0) + *number;
  }

  void add(std::span<const Loss> losses) {
    for (const Loss &loss : losses) losses_[loss.reason] = loss.count;  // counted since the run began
    changed_ = true;
  }

  // "strata_biotop_device_seconds" of "device_ns"
  [[nodiscard]] std::string name_of(const Field &column, const Scale &scale) const {
    const std::string name = "strata_" + std::string(info_.tool) + "_", key(column.key);
    if (scale.base.empty()) return name + key;
    const bool has_unit = key.ends_with("_ns") || key.ends_with("_bytes");
    return name + (has_unit ? key.substr(0, key.rfind('_')) : key) + "_" + std::string(scale.base);
  }

  [[nodiscard]] std::string head(std::string name, std::string_view type, std::string_view unit,
                                 std::string_view help) const {
    if (older_ && type == "counter") name += "_total";
    const std::string unit_line = unit.empty() ? "" : "# UNIT " + name + " " + std::string(unit) + "\n";
    return "# TYPE " + name + " " + std::string(type) + "\n" + unit_line + "# HELP " + name + " " + std::string(help) +
           "\n";
  }

  // Of the files of all tools one collector makes one page: these have one help, and the tool is a label.
  [[nodiscard]] std::string run_text() const {
    const Labels tool = {{"tool", std::string(info_.tool)}};
    std::string text = head("strata_run_info", "gauge", "", "A run: 1, and what it is of.");
    text += "strata_run_info" + labels_text(with_label(tool, "version", printable(info_.head.version))) + " 1\n";
    text += head("strata_run_start_time_seconds", "gauge", "seconds", "When the run began, since 1970.");
    text += "strata_run_start_time_seconds" + labels_text(tool) + " " +
            exact(info_.head.clocks.realtime_ns, scale_of({.unit = Unit::kNs})) + "\n";
    text += head("strata_rows_left_out", "counter", "", "Rows, or histograms, that --rows cut: in no sum.");
    text += "strata_rows_left_out_total" + labels_text(tool) + " " + std::to_string(left_out_) + "\n";
    text += head("strata_lost", "counter", "", "What was not seen, by reason.");
    for (const auto &[reason, count] : losses_)
      text += "strata_lost_total" + labels_text(with_label(tool, "reason", printable(reason))) + " " +
              std::to_string(count) + "\n";
    return text;
  }

  [[nodiscard]] std::string counter_text(size_t place) const {
    const Field &column = info_.columns[info_.counters[place]];
    const Scale scale = scale_of(column);
    const std::string name = name_of(column, scale);
    std::string text;
    for (const auto &[labels, sums] : rows_.all())
      if (sums[place]) text += name + "_total" + labels_text(labels) + " " + exact(*sums[place], scale) + "\n";
    return text.empty() ? "" : head(name, "counter", scale.base, column.help) + text;
  }

  [[nodiscard]] std::string histograms_text() const {
    if (!info_.distributions) return "";
    const Field &column = info_.columns.front();
    const Scale scale = scale_of(column);
    const std::string name = name_of(column, scale);
    std::string text = head(name, "histogram", scale.base, column.help);
    for (const auto &[labels, values] : histograms_.all()) text += histogram_text(name, labels, values, scale);
    return text;
  }

  // No slot lies across a bound: it is the last value before a power of two.
  static std::string histogram_text(const std::string &name, const Labels &labels, const Histogram &values,
                                    const Scale &scale) {
    const std::vector<uint64_t> &slots = values.slots();
    std::string text;
    uint64_t count = 0;
    size_t slot = 0;
    for (int power = scale.first_power; power <= scale.last_power; power++) {
      const uint64_t bound = (uint64_t{1} << power) - 1;
      for (; slot < slots.size() && Histogram::slot_high(static_cast<uint32_t>(slot)) <= bound; slot++)
        count += slots[slot];
      const double most = static_cast<double>(bound) / static_cast<double>(scale.per_unit);
      text += name + "_bucket" + labels_text(with_label(labels, "le", canonical(most))) + " " + std::to_string(count) +
              "\n";
    }
    const std::string all = std::to_string(values.count());
    text += name + "_bucket" + labels_text(with_label(labels, "le", "+Inf")) + " " + all + "\n";
    text += name + "_count" + labels_text(labels) + " " + all + "\n";
    return text + name + "_sum" + labels_text(labels) + " " + exact(values.sum(), scale) + "\n";
  }

  [[nodiscard]] std::string exposition() const {
    std::string text = run_text();
    for (size_t i = 0; i < info_.counters.size(); i++) text += counter_text(i);
    return text + histograms_text() + "# EOF\n";
  }

  bool replaces_, older_;  // the file; in the older text format
  RunInfo info_;
  Series<Sums> rows_{kMostRows};
  Series<Histogram> histograms_{kMostHistograms};
  std::map<std::string, uint64_t> losses_;
  uint64_t left_out_ = 0;
  bool changed_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_openmetrics_sink(Writer writer) {
  return std::make_unique<OpenMetricsSink>(std::move(writer));
}

}  // namespace strata
