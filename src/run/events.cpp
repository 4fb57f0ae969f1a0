// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Attach, print what comes, detach, print what is left, say what was lost.
#include "run/events.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "bpf/object.h"
#include "bpf/ring.h"
#include "cli/values.h"
#include "lib/core/loss.h"
#include "rec/names.h"
#include "run/event_stacks.h"
#include "run/replay.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/task_groups.h"

namespace strata {
namespace {

const EventSpec &spec_of(const Session &session) { return std::get<EventSpec>(session.view().shape); }

// Shows rows. The last one of --limit ends the run.
class Rows {
 public:
  explicit Rows(Session &session)
      : session_(session), made_(spec_of(session), session.run_values()), limit_(session.limit()) {
    session.count_seen();
  }

  // nullptr at the end of the run; `stack` is the number of the record's, if it has one
  void show(const void *record, Resolver &resolver, uint64_t stack = 0) {
    made_.make(record, resolver, stack, [this](RecordView view) { show_one(view); });
  }
  void look_up(TaskGroups &groups) { groups_ = &groups; }
  [[nodiscard]] uint64_t last_group() const { return cgroup_; }  // the last record's
  [[nodiscard]] bool full() const { return limit_ != 0 && shown_ == limit_; }

  void show_row(const RecordView &view) {
    if (full()) return;
    const auto value_of = [&](size_t column) { return row_of(session_.columns().subspan(column, 1), view).front(); };
    if (!session_.passes(value_of)) return;
    session_.out().put(Event{session_.columns(), view});
    session_.saw(1);
    shown_++;
    if (full()) session_.loop().stop(EndReason::kLimit);
  }

 private:
  // The names that a row needs are recorded even if it is not shown.
  void show_one(RecordView &view) {
    if (full()) return;
    if (groups_ != nullptr) cgroup_ = groups_->now_of(view);
    view.cgroup = cgroup_;
    if (made_.keeps(view)) show_row(view);
    if (!session_.out().wants_records()) return;
    NullWriter nowhere;
    for (const Field &column : session_.columns()) write_column(column, view, nowhere);
  }

  Session &session_;
  const EventRows made_;
  const uint64_t limit_;
  uint64_t shown_ = 0;
  TaskGroups *groups_ = nullptr;
  uint64_t cgroup_ = 0;
};

// The names of losses from LOSS_TOOL on.
std::vector<std::string_view> losses_of(const Session &session) {
  const auto &own = spec_of(session).losses, &of_stacks = session.event_stacks().losses;
  std::vector<std::string_view> names(own.begin(), own.end());
  if (!session.has_stacks()) return names;
  names.resize(LOSS_EVENT_STACK - LOSS_TOOL);
  names.insert(names.end(), of_stacks.begin(), of_stacks.end());
  return names;
}

}  // namespace

int run_events(Session &session, Object &object, const EventsMoments &moments) {
  const EventSpec &spec = spec_of(session);
  Rows rows(session);
  session.prepare(object);
  Ring ring(object.map_fd("events"));
  Resolver resolver(session.out(), &object);
  uint64_t short_records = 0;
  TaskGroups groups(session, object);
  if (session.owned_process() != nullptr) rows.look_up(groups);
  const auto show = [&](const void *raw, size_t size, uint64_t stack) {
    if (rows.full()) return;
    if (size < spec.record->min_size) {
      short_records++;
      return;
    }
    const void *record = resolver.pointers().numbered(*spec.record, raw, size);
    rows.show(record, resolver, stack);
    if (stack != 0) {
      const event_stack of_record = {.stack = stack};
      session.out().record(kEventStackRecord, &of_record);
    }
    groups.tell(session, rows.last_group());
    session.out().record(*spec.record, record, size);
  };
  const auto on_record = [&](const void *record, size_t size) { show(record, size, 0); };
  const auto on_stack_and_record = [&](const void *raw, size_t size) {
    if (size < sizeof(uint64_t)) return on_record(raw, size);
    show(static_cast<const std::byte *>(raw) + sizeof(uint64_t), size - sizeof(uint64_t),
         resolver.pointers().number(load_at<uint64_t>(raw, 0)));
  };
  const bool stacks = session.has_stacks();
  if (stacks) {
    if (session.stack_reader().start) session.stack_reader().start();
    resolver.read_stacks_by(session.stack_reader().frames);
  }
  const auto drain = [&] { return stacks ? ring.consume(on_stack_and_record) : ring.consume(on_record); };
  session.loop().watch(ring.fd(), drain);
  session.drain_by(drain);
  session.loop().every(Ring::kFlushNs, drain);
  object.attach();
  if (moments.attached) moments.attached();
  session.run();
  object.detach();
  const auto drain_all = [&] {
    while (drain() > 0) {
    }
  };
  session.within_memory([&] {
    drain_all();
    if (moments.detached) moments.detached(drain_all);
    drain_all();
    if (moments.left) moments.left(on_record);
    rows.show(nullptr, resolver);
  });
  std::vector<Loss> lost = object.losses(losses_of(session));
  lost.push_back({.reason = "record shorter than expected", .count = short_records});
  session.report(std::move(lost));
  return session.finish();
}

void add_event(Session &session, const void *record) {
  Resolver none;
  session.out().put(Event{session.columns(), {.data = record, .resolver = none}});
  session.saw(1);
  session.out().record(*spec_of(session).record, record);
}

EventRows::EventRows(const EventSpec &spec, const Values *options) {
  if (spec.transform != nullptr) transform_ = spec.transform();
  if (spec.keep != nullptr && options != nullptr) keep_ = spec.keep(*options);
}

RecordedRows::RecordedRows(const EventSpec &spec, const Values *options, Each each)
    : types_{spec.record, &kEventStackRecord, &kTaskGroupRecord}, made_(spec, options), each_(std::move(each)) {}

void RecordedRows::take(const Record &record, Resolver &resolver) {
  const void *bytes = record.bytes.data();
  if (record.type == &kEventStackRecord) {
    stack_ = load_at<uint64_t>(bytes, 0);
  } else if (record.type == &kTaskGroupRecord) {
    cgroup_ = load_at<uint64_t>(bytes, 0);
  } else {
    show(bytes, resolver);
    stack_ = cgroup_ = 0;
  }
}

void RecordedRows::show(const void *record, Resolver &resolver) {
  made_.make(record, resolver, stack_, [this](RecordView view) {
    view.cgroup = cgroup_;
    if (made_.keeps(view)) each_(view);
  });
}

int replay_events(Recording &recording, Session &session) {
  Rows shown(session);
  RecordedRows rows(spec_of(session), session.run_values(), [&shown](const RecordView &row) { shown.show_row(row); });
  return replay_records(
      recording, session, rows.types(), [&](const Record &record, Resolver &resolver) { rows.take(record, resolver); },
      [&](Resolver &resolver) { rows.end(resolver); });
}

}  // namespace strata
