// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/table.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/values.h"
#include "model/column_choice.h"
#include "model/table.h"
#include "run/intervals.h"
#include "run/session.h"

namespace strata {
namespace {

class Ranking {
 public:
  Ranking(Session &session, const TableSpec &spec) : session_(session) {
    session.count_seen();
    const Schema columns = session.columns();
    const Values &sorted = session.values_with("sort"), &cut = session.values_with("rows");
    const std::string_view by = sorted.given("sort") ? sorted.text("sort") : usual(spec);
    by_ = column_named(columns, "sort", by);
    if (cut.given("rows")) most_ = cut.number("rows");
    if (!spec.weight.empty()) weight_ = index_of(columns, spec.weight);
    if (!spec.share.empty()) share_ = index_of(columns, spec.share);
    for (const std::string_view sum : {spec.weight, spec.other_sum})
      if (!sum.empty()) sums_.push_back(index_of(columns, sum));
    if (!spec.greatest.empty()) greatest_ = index_of(columns, spec.greatest);
  }

  void add(Row row) { rows_.push_back(std::move(row)); }
  void add_others(Row row) { others_ = std::move(row); }

  void put(uint64_t from_ns, uint64_t to_ns) {
    if (weight_) weigh();
    std::erase_if(rows_, [this](const Row &row) { return !session_.passes(row); });
    std::sort(rows_.begin(), rows_.end(), [this](const Row &a, const Row &b) {
      const bool first = comes_first(a[by_], b[by_]);
      return first || comes_first(b[by_], a[by_]) ? first : a < b;  // the same order each time
    });
    Table table = {
        .columns = session_.columns(), .from_ns = from_ns, .to_ns = to_ns, .rows = std::move(rows_), .weight = weight_};
    rows_.clear();
    if (table.rows.size() > most_) {
      table.left_out = table.rows.size() - most_;
      table.rows.resize(most_);
    }
    if (others_) table.rows.push_back(*std::exchange(others_, std::nullopt));
    session_.out().put(table);
    session_.saw(table.rows.size());
  }

 private:
  [[nodiscard]] std::string_view usual(const TableSpec &spec) const {
    return !spec.sort_if.empty() && session_.holds(spec.sort_if) ? spec.other_sort : spec.sort;
  }

  // Rows that differ in their sums alone, the weight being the first, become one, and in their greatest; and each gets
  // its share.
  void weigh() {
    struct Sums {
      std::vector<uint64_t> values;
      Value greatest;
    };
    std::map<Row, Sums> rows;
    uint64_t whole = 0;
    for (Row &row : rows_) {
      Sums one;
      for (const size_t at : sums_) one.values.push_back(std::get<uint64_t>(std::exchange(row[at], {})));
      if (greatest_) one.greatest = std::exchange(row[*greatest_], {});
      whole += one.values[0];
      Sums &sums = rows.try_emplace(std::move(row), Sums{std::vector<uint64_t>(one.values.size()), {}}).first->second;
      std::transform(one.values.begin(), one.values.end(), sums.values.begin(), sums.values.begin(), std::plus());
      sums.greatest = std::max(sums.greatest, one.greatest);
    }
    rows_.clear();
    while (!rows.empty()) {
      auto node = rows.extract(rows.begin());
      for (size_t i = 0; i < sums_.size(); i++) node.key()[sums_[i]] = node.mapped().values[i];
      if (greatest_) node.key()[*greatest_] = node.mapped().greatest;
      if (share_ && whole != 0)  // blocks of 0 bytes are no part of anything
        node.key()[*share_] = 100 * static_cast<double>(node.mapped().values[0]) / static_cast<double>(whole);
      rows_.push_back(std::move(node.key()));
    }
  }

  Session &session_;
  size_t by_;
  std::optional<size_t> weight_, share_, greatest_;
  std::vector<size_t> sums_;
  uint64_t most_ = UINT64_MAX;
  std::vector<Row> rows_;
  std::optional<Row> others_;  // the last one, whatever --rows says: without it the sums are wrong
};

const TableSpec &spec_of(const Session &session) { return std::get<TableSpec>(session.view().shape); }

bool is_others(const void *entry, const Entries &entries) {
  const auto *bytes = static_cast<const unsigned char *>(entry) + entries.key_at;
  return std::all_of(bytes, bytes + entries.key_bytes, [](unsigned char byte) { return byte == 0xff; });
}

// The columns that another key changes are the key's: kOthers where they apply and have a text, or in the first one
// if none has; else nothing.
Row others_row(Session &session, const Entries &entries, const RecordView &entry) {
  const auto *bytes = static_cast<const char *>(entry.data);
  std::vector<char> with_zeros(bytes, bytes + entries.record->size);
  memset(with_zeros.data() + entries.key_at, 0, entries.key_bytes);
  const Schema columns = session.columns();
  Row row = row_of(columns, entry);
  const Row other = row_of(columns, {.data = with_zeros.data(), .resolver = entry.resolver});
  std::vector<size_t> texts, numbers;
  for (size_t i = 0; i < row.size(); i++) {
    if (row[i] == other[i]) continue;
    if (session.applies(columns[i])) (is_text(row[i]) || is_text(other[i]) ? texts : numbers).push_back(i);
    row[i] = {};
  }
  if (texts.empty() && !numbers.empty()) texts.push_back(numbers.front());
  for (const size_t i : texts) row[i] = std::string(kOthers);
  return row;
}

Intervals rows_of(Session &session, Ranking &ranking) {
  const Entries &entries = spec_of(session).entries;
  return {.each =
              [&session, &ranking, &entries](const RecordView &entry) {
                if (entries.others && is_others(entry.data, entries)) {
                  ranking.add_others(others_row(session, entries, entry));
                } else {
                  ranking.add(row_of(session.columns(), entry));
                }
              },
          .put = [&](uint64_t from_ns, uint64_t to_ns) { ranking.put(from_ns, to_ns); }};
}

const LinesSpec &lines_of(const Session &session) { return std::get<LinesSpec>(session.view().shape); }

// Something was counted: a line comes of an interval without, too.
bool counts_something(const void *entry, const Entries &entries) {
  const auto *bytes = static_cast<const unsigned char *>(entry) + entries.value_at;
  return std::any_of(bytes, bytes + entries.value_bytes, [](unsigned char byte) { return byte != 0; });
}

// `rows`: of the interval that is read.
Intervals lines_to(Session &session, std::vector<Row> &rows) {
  session.count_seen();
  return {.each =
              [&](const RecordView &entry) {
                if (counts_something(entry.data, lines_of(session).entries)) session.saw(1);
                Row row = row_of(session.columns(), entry);
                if (session.passes(row)) rows.push_back(std::move(row));
              },
          .put =
              [&](uint64_t from_ns, uint64_t to_ns) {
                const Table line = {
                    .columns = session.columns(), .from_ns = from_ns, .to_ns = to_ns, .rows = std::exchange(rows, {})};
                session.out().put(line);
              }};
}

}  // namespace

int run_table(Session &session, Object &object, std::string_view map) {
  const TableSpec &spec = spec_of(session);
  Entries entries = spec.entries;
  if (!map.empty()) entries.map = map;
  Ranking ranking(session, spec);
  return run_intervals(session, object, entries, rows_of(session, ranking), spec.losses);
}

int run_table(Session &session, Object &object, const Source &source) {
  const TableSpec &spec = spec_of(session);
  Ranking ranking(session, spec);
  return run_intervals(session, object, source, spec.entries, rows_of(session, ranking), spec.losses);
}

int replay_table(Recording &recording, Session &session) {
  const TableSpec &spec = spec_of(session);
  Ranking ranking(session, spec);
  return replay_intervals(recording, session, spec.entries, rows_of(session, ranking));
}

int run_lines(Session &session, Object &object) {
  const LinesSpec &spec = lines_of(session);
  std::vector<Row> rows;
  return run_intervals(session, object, spec.entries, lines_to(session, rows), spec.losses);
}

int replay_lines(Recording &recording, Session &session) {
  std::vector<Row> rows;
  return replay_intervals(recording, session, lines_of(session).entries, lines_to(session, rows));
}

}  // namespace strata
