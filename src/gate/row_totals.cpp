// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/row_totals.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/text.h"
#include "model/column_choice.h"
#include "model/record.h"
#include "rec/recording.h"
#include "render/sink.h"
#include "render/value.h"
#include "run/recorded.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

std::string with_spaces(std::string words) {
  std::ranges::replace(words, '\0', ' ');
  words.resize(words.find_last_not_of(' ') + 1);
  return words;
}

class TotalsSink final : public Sink {
 public:
  TotalsSink(RowTotals &totals, std::span<const std::string> keys, const Session &session)
      : Sink(Writer()), totals_(totals), columns_(session.columns().begin(), session.columns().end()) {
    for (size_t i = 0; i < columns_.size(); i++)
      if (!columns_[i].hidden && session.applies(columns_[i])) place(i);
    by_name_ = !keys.empty();
    if (by_name_) keys_.clear();
    for (const std::string &list : keys)
      for (const std::string_view name : split_commas(list)) keys_.push_back(column_named(columns_, "key", name));
  }

  void put(const Item &item) override { dispatch(*this, item); }
  void flush() override {}

  void on(const Event &event) {
    add([&](size_t i) { return row_of(Schema(&columns_[i], 1), event.record).front(); });
  }
  void on(const Table &table) {
    std::vector<size_t> places;
    for (const Field &column : columns_) places.push_back(index_of(table.columns, column.key));
    for (const Row &row : table.rows) add([&](size_t i) { return row[places[i]]; });
  }
  void on(const Distribution &distribution) {
    if (distribution.values.count() == 0) return;
    RowTotals::Of &of = totals_.of[key_of([&](size_t i) {
      const auto key =
          std::ranges::find(distribution.keys, columns_[i].key, [](const NamedValue &one) { return one.column->key; });
      return key == distribution.keys.end() ? Value() : key->value;
    })];
    of.values.resize(1);
    of.values[0].merge(distribution.values);
    of.count += distribution.values.count();
  }

 private:
  // What a column is good for.
  void place(size_t i) {
    const Field &column = columns_[i];
    const bool histogram = std::holds_alternative<HistogramSpec>(totals_.view->shape);
    if (histogram && i == 0) {
      if (!goes_round(column)) totals_.values.push_back(column);
      return;
    }
    if (const Entries *entries = entries_of_rows(*totals_.view)) {
      // A time grows with the machine's load.
      if (is_counter(column, *entries) && column.unit != Unit::kNs) return add_to(sums_, totals_.sums, i);
    } else if (!histogram && column.unit == Unit::kBytes) {
      return add_to(sums_, totals_.sums, i);
    } else if (!histogram && column.unit == Unit::kNs) {
      return add_to(values_, totals_.values, i);
    }
    if (column.unit != Unit::kNone && column.unit != Unit::kWords) return;
    // An end of a connection has a port, which is often another in each run: its address tells as much.
    const std::string address = std::string(column.key) + "_address";
    const auto found = std::ranges::find(columns_, address, &Field::key);
    keys_.push_back(found == columns_.end() ? i : static_cast<size_t>(found - columns_.begin()));
  }

  void add_to(std::vector<size_t> &places, std::vector<Field> &columns, size_t i) {
    places.push_back(i);
    columns.push_back(columns_[i]);
  }

  template <typename ValueAt>
  [[nodiscard]] std::vector<std::string> key_of(const ValueAt &value_at) const {
    std::vector<std::string> words;
    for (const size_t i : keys_) {
      const Value value = value_at(i);
      if (std::holds_alternative<std::monostate>(value)) continue;
      if (!by_name_ && !is_text(value) && !std::holds_alternative<bool>(value)) continue;
      const auto *text = std::get_if<std::string>(&value);
      words.push_back(std::string(columns_[i].key) + "=" +
                      (text == nullptr                    ? value_text(columns_[i], value, {})
                       : columns_[i].unit == Unit::kWords ? with_spaces(*text)
                                                          : *text));
    }
    return words;
  }

  template <typename ValueAt>
  void add(const ValueAt &value_at) {
    RowTotals::Of &of = totals_.of[key_of(value_at)];
    of.sums.resize(sums_.size());
    of.values.resize(values_.size());
    of.count++;
    const auto number_at = [&](size_t i) {
      const Value value = value_at(i);
      const auto *number = std::get_if<uint64_t>(&value);
      return number != nullptr ? std::optional(*number) : std::nullopt;
    };
    for (size_t i = 0; i < sums_.size(); i++) of.sums[i] += number_at(sums_[i]).value_or(0);
    for (size_t i = 0; i < values_.size(); i++)
      if (const std::optional<uint64_t> number = number_at(values_[i])) of.values[i].add(*number);
  }

  RowTotals &totals_;
  std::vector<Field> columns_;
  std::vector<size_t> keys_, sums_, values_;  // places in them
  bool by_name_ = false;                      // the user has named the keys
};

}  // namespace

RowTotals totals_of(const std::string &file, std::span<const std::string> keys, Session &session) {
  RecordedRun run(file);
  const Tool &tool = run.tool;
  RowTotals totals = {.file = file, .tool = &tool, .view = run.view, .options = std::move(run.values)};
  const std::string what = printable(file) + " is a recording of strata " + std::string(tool.name) + ", which ";
  if (totals.view == nullptr) throw Error(what + "has samples: they are not compared");
  const auto *table = std::get_if<TableSpec>(&totals.view->shape);
  if (table != nullptr && !table->weight.empty()) throw Error(what + "counts stacks, and the other does not");
  totals.counts = entries_of_rows(*totals.view) == nullptr;
  std::vector<std::string> words = session.values().operands();
  if (totals.options && totals.options->given("rows")) words.emplace_back(kAllRows);
  const Values values = parse_arguments(syntax_of(session.tool(), session.program()), words);
  Session guest(session.tool(), values, session.program() + ": " + printable(file), session, {});
  guest.replay(tool, totals.view, totals.options ? &*totals.options : nullptr);
  guest.out().only(std::make_unique<TotalsSink>(totals, keys, guest));
  const int status = tool.replay != nullptr ? tool.replay(run.recording, guest) : replay_view(run.recording, guest);
  totals.losses = losses_of(run.recording, file);
  if (status != 0) throw Error(printable(file) + ": out of memory");
  session.renew();
  return totals;
}

}  // namespace strata
