// Comma-separated values after RFC 4180: base units, control characters escaped as in text.
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
    if (info.distributions) put_line({"of", "keys", "to_ns", "low", "high", "count"});
    if (info.shown.empty() || info.distributions) return;
    std::vector<std::string> keys;
    for (const size_t i : info.shown) keys.emplace_back(info.columns[i].key);
    put_line(keys);
  }

  void on(const DecodedRow &one) {
    std::vector<std::string> texts;
    for (const size_t i : info_.shown) texts.push_back(exact_text(one.columns[i], one.row[i], info_.head.clocks));
    put_line(texts);
  }

  void on(const Table &table) {
    for (const Row &row : table.rows) on(DecodedRow{.columns = table.columns, .row = row});
  }

  void on(const Distribution &distribution) {
    const Histogram &values = distribution.values;
    for (uint32_t slot = 0; slot < values.slots().size(); slot++) {
      if (values.slots()[slot] == 0) continue;
      put_line({std::string(distribution.column->key), keys_text(distribution.keys, info_.head.clocks),
                std::to_string(info_.head.clocks.wall_ns(distribution.to_ns)),
                std::to_string(Histogram::slot_low(slot)), std::to_string(Histogram::slot_high(slot)),
                std::to_string(values.slots()[slot])});
    }
  }

 private:
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
