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
  Ranking(Session &session, std::string_view by) : session_(session) {
    const Values &values = session.values();
    const Schema columns = session.columns();
    if (values.given("sort")) by = values.text("sort");
    by_ = static_cast<size_t>(std::find_if(columns.begin(), columns.end(), [&](auto &c) { return c.key == by; }) -
                              columns.begin());
    if (by_ == columns.size()) throw usage_error("--sort takes the key of a column, not '" + printable(by) + "'");
    if (values.given("rows")) most_ = values.number("rows");
  }

  void add(Row row) { rows_.push_back(std::move(row)); }

  void put(uint64_t from_ns, uint64_t to_ns) {
    const bool text = !rows_.empty() && std::holds_alternative<std::string>(rows_[0][by_]);
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
    session_.out().table(table);
  }

 private:
  Session &session_;
  size_t by_;
  uint64_t most_ = UINT64_MAX;
  std::vector<Row> rows_;
};

Intervals rows_of(Ranking &ranking, const Tops &tops) {
  return {.each = [&](const void *entry, Names &names) { ranking.add(tops.decode(entry, names)); },
          .put = [&](uint64_t from_ns, uint64_t to_ns) { ranking.put(from_ns, to_ns); }};
}

}  // namespace

int run_table(Session &session, Object &object, std::string_view map, const Tops &tops) {
  Ranking ranking(session, tops.sort);
  return run_intervals(session, object, map, tops.entries, rows_of(ranking, tops), tops.losses);
}

int run_table(Session &session, Object &object, const Source &source, const Tops &tops) {
  Ranking ranking(session, tops.sort);
  return run_intervals(session, object, source, tops.entries, rows_of(ranking, tops), tops.losses);
}

int replay_table(Recording &recording, Session &session, const Tops &tops) {
  Ranking ranking(session, tops.sort);
  return replay_intervals(recording, session, tops.entries, rows_of(ranking, tops));
}

}  // namespace strata
