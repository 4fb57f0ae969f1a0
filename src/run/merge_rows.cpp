// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Rows of several recordings, all in memory, as only their end shows which was the first.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/end_reason.h"
#include "base/ending.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "model/condition.h"
#include "model/record.h"
#include "rec/names.h"
#include "run/events.h"
#include "run/merge.h"
#include "run/recorded.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/task_groups.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Field kHostColumn = {
    .decode = {.type = Type::kText}, .key = "host", .title = "HOST", .width = -12, .help = "that has recorded the row"};

struct TimedRow {
  uint64_t when_ns;  // of the wall, as all times in it
  Row row;
};

// What --when and --limit say of it.
class Choice {
 public:
  Choice(const Values &values, Schema columns) : limit_(values.given("limit") ? values.number("limit") : 0) {
    if (values.given("when")) when_.emplace("when", values.text("when"), columns);
  }
  [[nodiscard]] bool is_full() const { return limit_ != 0 && taken_ == limit_; }
  bool takes(const Row &row) {
    if (is_full() || (when_ && !when_->holds(row))) return false;
    ++taken_;
    return true;
  }

 private:
  std::optional<Condition> when_;
  uint64_t limit_, taken_ = 0;
};

TimedRow timed(Row row, Schema columns, const Clocks &clocks) {
  uint64_t when_ns = 0;
  for (size_t i = 0; i < columns.size(); i++) {
    auto *ns = std::get_if<uint64_t>(&row[i]);
    if (columns[i].unit != Unit::kWallNs || ns == nullptr) continue;
    *ns = clocks.wall_ns(*ns);
    if (when_ns == 0) when_ns = *ns;
  }
  return {.when_ns = when_ns, .row = std::move(row)};
}

// As a replay of it would show them.
void read_rows(RecordedRun &run, Schema columns, std::vector<TimedRow> &all) {
  const Schema own = columns.subspan(1);
  std::optional<Choice> choice;
  if (run.values) choice.emplace(*run.values, columns);
  const auto add = [&](const RecordView &view) {
    Row row = row_of(own, view);
    row.insert(row.begin(), run.host());
    if (!choice || choice->takes(row)) all.push_back(timed(std::move(row), columns, run.recording.head().clocks));
  };
  RecordedRows rows(std::get<EventSpec>(run.view->shape), run.values ? &*run.values : nullptr, add);
  NamedRecords records(run.recording, rows.types());
  for (Record record; records.next(record);) rows.take(record, records.resolver());
  rows.end(records.resolver());
}

void check(std::span<const std::unique_ptr<RecordedRun>> runs) {
  const RecordedRun &first = *runs.front();
  for (const std::unique_ptr<RecordedRun> &run : runs) {
    if (&run->tool != &first.tool)
      throw Error("recordings of one tool can be merged: " + printable(first.file) + " is of " +
                  std::string(first.tool.name) + ", " + printable(run->file) + " of " + std::string(run->tool.name));
    if (run->view == nullptr || !std::holds_alternative<EventSpec>(run->view->shape))
      throw Error(
          printable(run->file) + ": of " + std::string(run->tool.name) +
          ", whose counts are over intervals of one host; what can be merged are rows of events, and a follow send "
          "with a follow recv");
    if (run->view != first.view)
      throw Error("recordings of one view can be merged: " + printable(first.file) + " has " +
                  std::string(first.view->name) + ", " + printable(run->file) + " " + std::string(run->view->name));
  }
}

}  // namespace

void stop_at_end(std::span<const std::unique_ptr<RecordedRun>> runs, Session &session) {
  const bool whole = std::ranges::all_of(runs, [](const auto &run) { return run->recording.whole(); });
  session.loop().stop(whole ? EndReason::kEndOfRecording : EndReason::kRecordingCutShort);
}

int merge_rows(std::span<const std::unique_ptr<RecordedRun>> runs, Session &session) {
  check(runs);
  const RecordedRun &first = *runs.front();
  session.lead_with(kHostColumn);
  session.replay(first.tool, first.view, first.values ? &*first.values : nullptr);
  // Their times are those of the wall already.
  session.begin({.program = session.program(),
                 .options = session.values().arguments(),
                 .has_options = true,
                 .clocks = {.monotonic_ns = first.recording.head().clocks.realtime_ns,
                            .realtime_ns = first.recording.head().clocks.realtime_ns}});
  std::vector<TimedRow> all;
  bool owned = true;
  for (const std::unique_ptr<RecordedRun> &run : runs) {
    read_rows(*run, session.columns(), all);
    owned = owned && run->recording.head().declares(kTaskGroupRecord);
  }
  const std::vector<Loss> losses = losses_of(runs);
  // A row may be known later than one that was after it, such as an exec whose end it waits for.
  std::ranges::stable_sort(all, {}, &TimedRow::when_ns);
  session.count_seen();
  Choice choice(session.values(), session.columns());
  for (const TimedRow &one : all) {
    if (!session.out().writable() || choice.is_full() || ending_begun()) break;
    if (!choice.takes(one.row)) continue;
    session.out().put(DecodedRow{session.columns(), one.row});
    session.saw(1);
  }
  if (choice.is_full())
    session.loop().stop(EndReason::kLimit);
  else
    stop_at_end(runs, session);
  if (session.owned_process() != nullptr && !owned) say_no_owners(session);
  session.report(losses);
  const int status = session.finish();
  return ending_signal() != 0 ? 128 + ending_signal() : status;
}

}  // namespace strata
