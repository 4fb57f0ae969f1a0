#include "run/table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "model/table.h"
#include "run/intervals.h"
#include "run/session.h"

namespace strata {
namespace {

class Ranking {
 public:
  Ranking(Session &session, const TableSpec &spec) : session_(session) {
    const Schema columns = session.columns();
    const Values &sorted = session.values_with("sort"), &cut = session.values_with("rows");
    const std::string_view by = sorted.given("sort") ? sorted.text("sort") : usual(spec);
    by_ = static_cast<size_t>(std::find_if(columns.begin(), columns.end(), [&](auto &c) { return c.key == by; }) -
                              columns.begin());
    if (by_ == columns.size()) throw usage_error("--sort takes the key of a column, not '" + printable(by) + "'");
    if (cut.given("rows")) most_ = cut.number("rows");
  }

  void add(Row row) { rows_.push_back(std::move(row)); }

  void put(uint64_t from_ns, uint64_t to_ns) {
    const auto is_text = [&](const Row &row) {
      return std::holds_alternative<std::string>(row[by_]) || std::holds_alternative<LazyText>(row[by_]);
    };
    const bool text = !rows_.empty() && is_text(rows_[0]);
    std::sort(rows_.begin(), rows_.end(), [this, text](const Row &a, const Row &b) {
      if (a[by_] != b[by_]) return text ? a[by_] < b[by_] : b[by_] < a[by_];
      return a < b;  // the same order each time
    });
    Table table = {.columns = session_.columns(), .from_ns = from_ns, .to_ns = to_ns, .rows = std::move(rows_)};
    rows_.clear();
    if (table.rows.size() > most_) {
      table.left_out = table.rows.size() - most_;
      table.rows.resize(most_);
    }
    session_.out().put(table);
  }

 private:
  [[nodiscard]] std::string_view usual(const TableSpec &spec) const {
    return !spec.sort_if.empty() && session_.holds(spec.sort_if) ? spec.other_sort : spec.sort;
  }

  Session &session_;
  size_t by_;
  uint64_t most_ = UINT64_MAX;
  std::vector<Row> rows_;
};

const TableSpec &spec_of(const Session &session) { return std::get<TableSpec>(session.view().shape); }

Intervals rows_of(Session &session, Ranking &ranking) {
  return {.each =
              [&](const void *entry, Resolver &resolver) {
                ranking.add(row_of(session.columns(), {.data = entry, .resolver = resolver}));
              },
          .put = [&](uint64_t from_ns, uint64_t to_ns) { ranking.put(from_ns, to_ns); }};
}

const LinesSpec &lines_of(const Session &session) { return std::get<LinesSpec>(session.view().shape); }

Intervals lines_to(Session &session) {
  return {.each =
              [&](const void *entry, Resolver &resolver) {
                session.out().put(Event{session.columns(), {.data = entry, .resolver = resolver}});
              },
          .put = [](uint64_t, uint64_t) {}};
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
  return run_intervals(session, object, spec.entries, lines_to(session), spec.losses);
}

int replay_lines(Recording &recording, Session &session) {
  return replay_intervals(recording, session, lines_of(session).entries, lines_to(session));
}

}  // namespace strata
