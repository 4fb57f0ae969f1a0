// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Comma-separated values after RFC 4180: base units, control characters escaped as in text.
#include <algorithm>

#include "base/text.h"
#include "render/formats.h"
#include "render/value.h"

namespace strata {
namespace {

std::string cell(const std::string &text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

class CsvSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) {
    info_ = info;
    std::erase_if(info_.shown, [&](size_t i) { return is_end_of_interval(info.columns[i]); });
    if (info.shown.empty() && !info.distributions) return;
    std::vector<std::string> keys;
    if (info.tables || info.lines || info.distributions) keys = {"from_ns", "to_ns"};
    if (info.distributions) {
      std::erase(info_.shown, 0);  // the values
      keys.emplace_back("of");
    }
    for (const size_t i : info_.shown) keys.emplace_back(info.columns[i].key);
    if (info.distributions) keys.insert(keys.end(), {"low", "high", "count"});
    put_line(keys);
  }

  void on(const DecodedRow &one) { put_row({}, one.row); }

  void on(const Table &table) {
    for (const Row &row : table.rows) put_row(interval(table.from_ns, table.to_ns), row);
  }

  void on(const Distribution &distribution) {
    const Histogram &values = distribution.values;
    std::vector<std::string> head = interval(distribution.from_ns, distribution.to_ns);
    head.emplace_back(distribution.column->key);
    for (const size_t i : info_.shown) head.push_back(key_text(distribution, info_.columns[i]));
    for (uint32_t slot = 0; slot < values.slots().size(); slot++) {
      if (values.slots()[slot] == 0) continue;
      std::vector<std::string> texts = head;
      for (const uint64_t number : {Histogram::slot_low(slot), Histogram::slot_high(slot), values.slots()[slot]})
        texts.push_back(std::to_string(number));
      put_line(texts);
    }
  }

 private:
  [[nodiscard]] std::vector<std::string> interval(uint64_t from_ns, uint64_t to_ns) const {
    const Clocks &clocks = info_.head.clocks;
    return {std::to_string(clocks.wall_ns(from_ns)), std::to_string(clocks.wall_ns(to_ns))};
  }

  // Empty where it tells nothing apart.
  [[nodiscard]] std::string key_text(const Distribution &distribution, const Field &column) const {
    for (const NamedValue &key : distribution.keys)
      if (key.column->key == column.key) return exact_text(column, key.value, info_.head.clocks);
    return "";
  }

  void put_row(std::vector<std::string> texts, const Row &row) {
    for (const size_t i : info_.shown) texts.push_back(exact_text(info_.columns[i], row[i], info_.head.clocks));
    put_line(texts);
  }

  void put_line(const std::vector<std::string> &texts) {
    std::string line;
    for (size_t i = 0; i < texts.size(); i++) line += (i == 0 ? "" : ",") + cell(texts[i]);
    write(line + "\n");
  }

  RunInfo info_;
};

}  // namespace

std::unique_ptr<Sink> make_csv_sink(Writer writer) { return std::make_unique<CsvSink>(std::move(writer)); }

}  // namespace strata
