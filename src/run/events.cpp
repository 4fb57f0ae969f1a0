// Attach, print what comes, detach, print what is left, say what was lost.
#include "run/events.h"

#include "bpf/object.h"
#include "bpf/ring.h"
#include "run/replay.h"
#include "run/resolver.h"
#include "run/session.h"

namespace strata {
namespace {

// What is done with a record, and with nullptr at the end.
using OnRecord = std::function<void(const void *record, Resolver &resolver)>;

const EventSpec &spec_of(const Session &session) { return std::get<EventSpec>(session.view().shape); }

// The names that a row needs are recorded even if it is not shown.
OnRecord shower(Session &session, const Keep &keep) {
  const auto show = [&session, keep](const void *record, const void *more, Resolver &resolver) {
    const RecordView view = {.data = record, .resolver = resolver, .more = more};
    if (!keep || keep(record)) session.out().put(Event{session.columns(), view});
    if (!session.out().wants_records()) return;
    NullWriter nowhere;
    for (const Field &column : session.columns()) write_column(column, view, nowhere);
  };
  const EventSpec &spec = spec_of(session);
  if (spec.transform == nullptr) {
    return [show](const void *record, Resolver &resolver) {
      if (record != nullptr) show(record, nullptr, resolver);
    };
  }
  return [show, transform = spec.transform()](const void *record, Resolver &resolver) {
    const auto emit = [&](const void *one, const void *more) { show(one, more, resolver); };
    transform(record, resolver, Emit(emit));
  };
}

}  // namespace

int run_events(Session &session, Object &object, const Keep &keep, const EventsMoments &moments) {
  const EventSpec &spec = spec_of(session);
  session.prepare(object);
  Ring ring(object.map_fd("events"));
  Resolver resolver(session.out(), &object);
  uint64_t short_records = 0;
  const OnRecord show = shower(session, keep);
  const auto on_record = [&](const void *raw, size_t size) {
    if (size < spec.record->min_size) {
      short_records++;
      return;
    }
    const void *record = resolver.pointers().numbered(*spec.record, raw, size);
    show(record, resolver);
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
    show(nullptr, resolver);
  });
  std::vector<Loss> lost = object.losses(spec.losses);
  lost.push_back({.reason = "record shorter than expected", .count = short_records});
  session.report(std::move(lost));
  return session.finish();
}

void add_event(Session &session, const void *record) {
  Resolver none;
  session.out().put(Event{session.columns(), {.data = record, .resolver = none}});
  session.out().record(*spec_of(session).record, record);
}

int replay_events(Recording &recording, Session &session) {
  const OnRecord show = shower(session, {});
  const RecordType *const types[] = {spec_of(session).record};
  Resolver none;
  return replay_records(
      recording, session, types, [&](const Record &record, Resolver &resolver) { show(record.bytes.data(), resolver); },
      [&] { show(nullptr, none); });
}

}  // namespace strata
