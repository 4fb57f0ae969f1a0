// Attach, print what comes, detach, print what is left, say what was lost.
#include "run/events.h"

#include <utility>

#include "bpf/object.h"
#include "bpf/ring.h"
#include "cli/values.h"
#include "run/replay.h"
#include "run/resolver.h"
#include "run/session.h"

namespace strata {
namespace {

const EventSpec &spec_of(const Session &session) { return std::get<EventSpec>(session.view().shape); }

// Makes rows of records. The last row of --limit ends the run.
class Rows {
 public:
  Rows(Session &session, Keep keep)
      : session_(session), keep_(std::move(keep)), limit_(session.values_with("limit").number("limit")) {
    if (const auto transform = spec_of(session).transform) transform_ = transform();
    session.count_seen();
  }

  void show(const void *record, Resolver &resolver) {  // nullptr at the end of the run
    if (transform_) {
      const auto emit = [&](const void *one, const void *more) { show_one(one, more, resolver); };
      transform_(record, resolver, Emit(emit));
    } else if (record != nullptr) {
      show_one(record, nullptr, resolver);
    }
  }
  [[nodiscard]] bool full() const { return limit_ != 0 && shown_ == limit_; }

 private:
  // The names that a row needs are recorded even if it is not shown.
  void show_one(const void *record, const void *more, Resolver &resolver) {
    if (full()) return;
    const RecordView view = {.data = record, .resolver = resolver, .more = more};
    if (!keep_ || keep_(record)) {
      session_.out().put(Event{session_.columns(), view});
      session_.saw(1);
      shown_++;
      if (full()) session_.loop().stop("limit");
    }
    if (!session_.out().wants_records()) return;
    NullWriter nowhere;
    for (const Field &column : session_.columns()) write_column(column, view, nowhere);
  }

  Session &session_;
  const Keep keep_;
  Transform transform_;
  const uint64_t limit_;
  uint64_t shown_ = 0;
};

}  // namespace

int run_events(Session &session, Object &object, const Keep &keep, const EventsMoments &moments) {
  const EventSpec &spec = spec_of(session);
  session.prepare(object);
  Ring ring(object.map_fd("events"));
  Resolver resolver(session.out(), &object);
  uint64_t short_records = 0;
  Rows rows(session, keep);
  const auto on_record = [&](const void *raw, size_t size) {
    if (rows.full()) return;
    if (size < spec.record->min_size) {
      short_records++;
      return;
    }
    const void *record = resolver.pointers().numbered(*spec.record, raw, size);
    rows.show(record, resolver);
    session.out().record(*spec.record, record, size);
  };
  const auto drain = [&] { return ring.consume(on_record); };
  session.loop().watch(ring.fd(), drain);
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
  std::vector<Loss> lost = object.losses(spec.losses);
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

int replay_events(Recording &recording, Session &session) {
  Rows rows(session, {});
  const RecordType *const types[] = {spec_of(session).record};
  Resolver none;
  return replay_records(
      recording, session, types,
      [&](const Record &record, Resolver &resolver) { rows.show(record.bytes.data(), resolver); },
      [&] { rows.show(nullptr, none); });
}

}  // namespace strata
