// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The rows as SQL that SQLite and PostgreSQL take alike, and others by the standard (DuckDB is not tried): keys, units
// and null are those of JSON. All of it is one transaction: an engine has the whole run or nothing of it, and waits for
// its disk once.
//
// SQL as text needs no library, is a stream, and any engine reads it. Rejected: a file of SQLite, whose library adds
// 1.65 MB to a binary of 7.66, and Parquet, whose library (Arrow) Debian does not have.
//
// Integers are BIGINT. One above 2^63 - 1 is NULL, and KEY_digits has it as text: SQLite would make it a double of 53
// bits without a word, and NUMERIC costs the other engines each sum. A text that is not UTF-8, or has what nobody sees,
// has U+FFFD there and KEY_bytes all of it in base64: no engine takes a NUL, and SQL has no escapes that all know. Such
// columns are added when they are needed, as json has them then alone.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "render/formats.h"
#include "render/json_value.h"
#include "render/percentiles.h"
#include "render/totals.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr std::string_view kInteger = "BIGINT", kNumber = "DOUBLE PRECISION", kText = "TEXT", kFlag = "BOOLEAN";

std::string_view sql_type(const Field &column) {
  if (column.unit == Unit::kStack || column.unit == Unit::kWords) return kText;
  switch (type_of(column)) {
    case Type::kInteger:
      return kInteger;
    case Type::kNumber:
      return kNumber;
    case Type::kFlag:
      return kFlag;
    case Type::kText:
    case Type::kAny:
      return kText;
  }
  return kText;
}

std::string in_marks(std::string_view text, char mark) {
  std::string out(1, mark);
  for (const char c : text) out.append(c == mark ? 2 : 1, c);
  return out + mark;
}

// What a terminal shows as it is; false: that is not all of it.
bool append_visible(std::string &out, std::string_view text) {
  bool whole = true;
  while (!text.empty()) {
    const Character one = first_character(text);
    const bool visible = one.length != 0 && !is_hidden(one.code_point);
    out += visible ? text.substr(0, one.length) : "\xef\xbf\xbd";
    text.remove_prefix(std::max<size_t>(one.length, 1));
    whole = whole && visible;
  }
  return whole;
}

struct Cell {
  std::string key;
  std::string_view type;
  std::string literal;
};
using Cells = std::vector<Cell>;

std::string names_of(const Cells &cells) {
  std::vector<std::string> names;
  for (const Cell &cell : cells) names.push_back(in_marks(cell.key, '"'));
  return comma_list(names);
}

void add_text(Cells &cells, std::string_view key, std::string_view text) {
  std::string visible;
  const bool whole = plain_prefix(text) == text.size() || append_visible(visible, text);
  cells.push_back({std::string(key), kText, in_marks(whole ? text : visible, '\'')});
  if (!whole) cells.push_back({std::string(key) + "_bytes", kText, in_marks(base64(text), '\'')});
}

void add_number(Cells &cells, std::string_view key, uint64_t number) {
  const bool fits = number <= INT64_MAX;
  cells.push_back({std::string(key), kInteger, fits ? std::to_string(number) : "NULL"});
  if (!fits) cells.push_back({std::string(key) + "_digits", kText, in_marks(std::to_string(number), '\'')});
}

void add_list(Cells &cells, std::string_view key, const Json &list) {
  cells.push_back({std::string(key), kText, in_marks(dump(list), '\'')});
}

// A text among numbers is "(others)", which is no number.
void add_value(Cells &cells, std::string_view key, std::string_view type, const Value &value) {
  const auto *number = std::get_if<uint64_t>(&value);
  const auto *real = std::get_if<double>(&value);
  const bool none = std::holds_alternative<std::monostate>(value) || (real != nullptr && !std::isfinite(*real));
  if (none || (is_text(value) && type != kText)) {
    cells.push_back({std::string(key), type, "NULL"});
  } else if (const auto *lazy = std::get_if<LazyText>(&value)) {
    add_text(cells, key, lazy->str());
  } else if (const auto *text = std::get_if<std::string>(&value)) {
    add_text(cells, key, *text);
  } else if (number != nullptr && type == kInteger) {
    add_number(cells, key, *number);
  } else {
    std::string literal = dump(to_json(value));
    cells.push_back({std::string(key), type, type == kText ? in_marks(literal, '\'') : std::move(literal)});
  }
}

// Functions, or words, as an array of JSON, which each engine can take apart.
void add_parts(Cells &cells, const Field &column, const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  if (text == nullptr) return add_value(cells, column.key, kText, {});
  if (column.unit == Unit::kStack) return add_list(cells, column.key, frames_of(*text));
  std::vector<std::string_view> words = split(*text, '\0');
  words.pop_back();
  add_list(cells, column.key, words);
  if (!is_utf8(*text)) cells.push_back({std::string(column.key) + "_bytes", kText, in_marks(base64(*text), '\'')});
}

void add_column(Cells &cells, const Field &column, const Value &value, const Clocks &clocks) {
  if (column.unit == Unit::kStack || column.unit == Unit::kWords) return add_parts(cells, column, value);
  if (is_absent(column, value)) return add_value(cells, column.key, sql_type(column), {});
  add_value(cells, column.key, sql_type(column), stored(column, value, clocks));
}

class SqlSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) {
    info_ = info;
    rows_.name = info.tool;
    parts_.name = info.distributions ? "slots" : "hops";
    write("BEGIN;\n");
    if (!info.procedure.empty()) {
      create(rows_, sample_cells({.outcome = &kCompleted}));
      create(parts_, hop_cells({.hops = {{}}}, 0));
      return;
    }
    Cells cells = info.distributions ? distribution_cells({.column = &kNoColumn}) : interval_cells(0, 0);
    if (!info.distributions)
      for (const size_t i : columns_of_table(info.columns))
        cells.push_back({std::string(info.columns[i].key), sql_type(info.columns[i]), ""});
    create(rows_, cells);
    if (info.distributions) create(parts_, slot_cells({}, 0));
  }

  void on(const DecodedRow &one) { put_row(one.columns, one.row, {}); }

  void on(const Table &table) {
    for (const Row &row : table.rows) put_row(table.columns, row, interval_cells(table.from_ns, table.to_ns));
  }

  void on(const Distribution &distribution) {
    number_++;
    insert(rows_, distribution_cells(distribution));
    for (uint32_t slot = 0; slot < distribution.values.slots().size(); slot++)
      if (distribution.values.slots()[slot] != 0) insert(parts_, slot_cells(distribution.values, slot));
  }

  void on(const Sample &sample) {
    number_++;
    insert(rows_, sample_cells(sample));
    for (size_t i = 0; i < sample.hops.size(); i++) insert(parts_, hop_cells(sample, i));
  }

  void on(const Losses &losses) {
    Into lost{.name = "lost", .columns = {}};
    create(lost, loss_cells({}));
    for (const Loss &loss : losses.of) insert(lost, loss_cells(loss));
  }

  void on(const Summary &summary) {
    Into layers{.name = "layers", .columns = {}}, account{.name = "account", .columns = {}};
    const uint64_t whole_ns = whole_time_ns(summary.layers);
    create(layers, layer_cells({}, 0));
    for (const LayerTimes &times : summary.layers) insert(layers, layer_cells(times, whole_ns));
    create(account, count_cells({.outcome = &kCompleted, .reason = {}, .n = 0}));
    for (const Account::Count &one : summary.account.counts) insert(account, count_cells(one));
  }

  void on(const End &end) { put_end(end.reason); }
  void on(const Failed &) { put_end(EndReason::kError); }

 private:
  struct Into {
    std::string name;
    std::vector<std::string> columns;
  };
  static constexpr Field kNoColumn = {};

  void create(Into &table, const Cells &cells) {
    std::string text = "CREATE TABLE " + in_marks(table.name, '"') + " (";
    for (const Cell &cell : cells) {
      text += (table.columns.empty() ? "" : ", ") + in_marks(cell.key, '"') + " " + std::string(cell.type);
      table.columns.push_back(cell.key);
    }
    write(text + ");\n");
  }

  void insert(Into &table, const Cells &cells) {
    bool in_order = cells.size() == table.columns.size();
    for (size_t i = 0; i < cells.size(); i++) {
      in_order = in_order && table.columns[i] == cells[i].key;
      if (std::ranges::find(table.columns, cells[i].key) != table.columns.end()) continue;
      write("ALTER TABLE " + in_marks(table.name, '"') + " ADD COLUMN " + in_marks(cells[i].key, '"') + " " +
            std::string(cells[i].type) + ";\n");
      table.columns.push_back(cells[i].key);
    }
    line_ = "INSERT INTO " + in_marks(table.name, '"');
    if (!in_order) line_ += " (" + names_of(cells) + ")";
    std::string_view before = " VALUES (";
    for (const Cell &cell : cells) (line_ += std::exchange(before, ", ")) += cell.literal;
    write(line_ += ");\n");
  }

  // All, or those of --columns, as in JSON.
  [[nodiscard]] std::vector<size_t> columns_of_table(Schema columns) const {
    std::vector<size_t> of_table = info_.data;
    if (of_table.empty()) {
      of_table.resize(columns.size());
      std::iota(of_table.begin(), of_table.end(), size_t{0});
    }
    std::erase_if(of_table, [&](size_t i) { return is_end_of_interval(columns[i]); });
    return of_table;
  }

  void put_row(Schema columns, const Row &row, Cells cells) {
    for (const size_t i : columns_of_table(columns)) add_column(cells, columns[i], row[i], info_.head.clocks);
    number_++;
    insert(rows_, cells);
  }

  // None of an event.
  [[nodiscard]] Cells interval_cells(uint64_t from_ns, uint64_t to_ns) const {
    Cells cells;
    if (!info_.tables && !info_.lines && !info_.distributions) return cells;
    add_number(cells, "from_ns", info_.head.clocks.wall_ns(from_ns));
    add_number(cells, "to_ns", info_.head.clocks.wall_ns(to_ns));
    return cells;
  }

  // A key that does not tell two apart is NULL.
  [[nodiscard]] Cells distribution_cells(const Distribution &one) const {
    Cells cells;
    add_number(cells, "histogram", number_);
    add_text(cells, "of", one.column->key);
    const Schema keys = info_.columns.empty() ? Schema() : info_.columns.subspan(1);
    for (const Field &key : keys) {
      const auto is_it = [&](const NamedValue &value) { return value.column->key == key.key; };
      const auto found = std::ranges::find_if(one.keys, is_it);
      add_column(cells, key, found == one.keys.end() ? Value() : found->value, info_.head.clocks);
    }
    for (Cell &cell : interval_cells(one.from_ns, one.to_ns)) cells.push_back(std::move(cell));
    add_number(cells, "count", one.values.count());
    add_number(cells, "sum", one.values.sum());
    add_value(cells, "avg", kNumber, average_of(*one.column, one.values));
    add_value(cells, "sum_error", kNumber, one.values.sum_is_estimate() ? kSumError : 0.0);
    for (const Percentile &percentile : kPercentiles)
      add_number(cells, percentile.key, one.values.percentile(percentile.p));
    add_value(cells, "percentile_error", kNumber, kPercentileError);
    return cells;
  }

  [[nodiscard]] Cells slot_cells(const Histogram &values, uint32_t slot) const {
    Cells cells;
    add_number(cells, "histogram", number_);
    add_number(cells, "low", Histogram::slot_low(slot));
    add_number(cells, "high", Histogram::slot_high(slot));
    add_number(cells, "count", slot < values.slots().size() ? values.slots()[slot] : 0);
    return cells;
  }

  [[nodiscard]] Cells sample_cells(const Sample &sample) const {
    Cells cells;
    add_number(cells, "id", sample.id);
    add_text(cells, "outcome", sample.outcome->key);
    add_value(cells, "reason", kText, sample.reason.empty() ? Value() : Value(sample.reason));
    add_number(cells, "time_ns", info_.head.clocks.wall_ns(sample.start_ns));
    add_number(cells, "seen_ns", sample.seen_ns);
    add_number(cells, "total_ns", sample.total_ns);
    for (const NamedValue &field : sample.fields) add_column(cells, *field.column, field.value, info_.head.clocks);
    return cells;
  }

  [[nodiscard]] Cells hop_cells(const Sample &sample, size_t i) const {
    const Hop &hop = sample.hops[i];
    Cells cells;
    add_number(cells, "sample", sample.id);
    add_number(cells, "hop", i);
    add_text(cells, "layer", hop.layer);
    add_text(cells, "name", hop.name);
    add_number(cells, "time_ns", info_.head.clocks.wall_ns(hop.ts_ns));
    add_number(cells, "since_start_ns", hop.ts_ns - sample.start_ns);
    add_number(cells, "since_last_ns", hop.ts_ns - (i == 0 ? sample.start_ns : sample.hops[i - 1].ts_ns));
    add_number(cells, "cpu", hop.cpu);
    add_number(cells, "tid", hop.tid);
    add_text(cells, "comm", hop.comm);
    add_value(cells, "behind", kFlag, hop.background);
    for (const NamedValue &field : hop.fields) add_column(cells, *field.column, field.value, info_.head.clocks);
    return cells;
  }

  static Cells layer_cells(const LayerTimes &times, uint64_t whole_ns) {
    Cells cells;
    add_text(cells, "layer", times.layer);
    add_value(cells, "behind", kFlag, times.background);
    add_number(cells, "count", times.ns.count());
    add_number(cells, "p50_ns", times.ns.percentile(50));
    add_number(cells, "p90_ns", times.ns.percentile(90));
    add_number(cells, "p99_ns", times.ns.percentile(99));
    add_number(cells, "max_ns", times.ns.max());
    add_value(cells, "share", kNumber, share_percent(times, whole_ns) / 100);
    return cells;
  }

  static Cells count_cells(const Account::Count &one) {
    Cells cells;
    add_text(cells, "outcome", one.outcome->key);
    add_value(cells, "reason", kText, one.reason.empty() ? Value() : Value(one.reason));
    add_number(cells, "count", one.n);
    return cells;
  }

  static Cells loss_cells(const Loss &loss) {
    Cells cells;
    add_text(cells, "reason", loss.reason);
    add_number(cells, "count", loss.count);
    return cells;
  }

  // At the end, as it says how that came. What a recording of format 1 does not say is NULL.
  void put_end(EndReason reason) {
    const RecordingHead &head = info_.head;
    const auto text = [](const std::string &said) { return said.empty() ? Value() : Value(said); };
    Cells cells;
    add_text(cells, "tool", info_.tool);
    add_value(cells, "version", kText, text(head.version));
    add_value(cells, "host", kText, text(head.host));
    add_value(cells, "kernel", kText, text(head.kernel));
    head.has_options ? add_list(cells, "options", head.options) : add_value(cells, "options", kText, {});
    head.command.empty() ? add_value(cells, "command", kText, {}) : add_list(cells, "command", head.command);
    add_value(cells, "replay", kFlag, info_.replay);
    add_number(cells, "monotonic_ns", head.clocks.monotonic_ns);
    add_number(cells, "realtime_ns", head.clocks.realtime_ns);
    add_text(cells, "reason", name_of(reason));
    add_number(cells, "rows", number_);
    Into run{.name = "run", .columns = {}};
    create(run, cells);
    insert(run, cells);
    write("COMMIT;\n");
  }

  RunInfo info_;
  Into rows_, parts_;    // the latter of slots or hops
  uint64_t number_ = 0;  // rows so far
  std::string line_;     // its memory serves every row
};

}  // namespace

std::unique_ptr<Sink> make_sql_sink(Writer writer) { return std::make_unique<SqlSink>(std::move(writer)); }

}  // namespace strata
