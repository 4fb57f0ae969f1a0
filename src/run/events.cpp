// Attach, print what comes, detach, print what is left, say what was lost.
#include "run/events.h"

#include "bpf/object.h"
#include "bpf/ring.h"
#include "run/names.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

Join join_of(const Events &events) {
  if (events.join != nullptr) return events.join();
  return [&events](const void *record, Names &names, const Put &put) {
    if (record != nullptr) put(events.decode(record, names));
  };
}

}  // namespace

int run_events(Session &session, Object &object, const Events &events, const Keep &keep, const EventsMoments &moments) {
  session.prepare(object);
  Ring ring(object.map_fd("events"));
  Names names(session.out());
  uint64_t short_records = 0;
  const Join join = join_of(events);
  const Put put = [&](const Row &row) {
    if (!keep || keep(row)) session.out().row(session.columns(), row);
  };
  const auto take = [&](const void *record, size_t size) {
    if (size < events.least) {
      short_records++;
      return;
    }
    join(record, names, put);
    session.out().record(*events.wire, record, size);
  };
  const auto drain = [&] { return ring.consume(take); };
  session.loop().watch(ring.fd(), drain);
  session.loop().every(Ring::kFlushNs, drain);
  object.attach();
  if (moments.attached) moments.attached();
  session.run();
  object.detach();
  while (drain() > 0) {
  }
  if (moments.left) moments.left(take);
  join(nullptr, names, put);
  std::vector<Loss> lost = object.losses(events.losses);
  lost.push_back({.reason = "record shorter than expected", .count = short_records});
  session.report(std::move(lost));
  return session.finish();
}

int replay_events(Recording &recording, Session &session, const Events &events) {
  const Join join = join_of(events);
  const Put put = [&](const Row &row) { session.out().row(session.columns(), row); };
  Names none;
  return replay_records(
      recording, session, {&events.wire, 1},
      [&](const WireRecord &record, Names &names) { join(record.bytes.data(), names, put); },
      [&] { join(nullptr, none, put); });
}

}  // namespace strata
