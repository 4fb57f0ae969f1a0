// Attach, print what comes, detach, print what is left, say what was lost.
#include "run/events.h"

#include "bpf/object.h"
#include "bpf/ring.h"
#include "cli/values.h"
#include "run/names.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

class RecordRow final : public RowSource {
 public:
  RecordRow(const Events &events, const void *record, Names &names) : events_(events), record_(record), names_(names) {}
  void give(Cells &cells) const override { events_.give(record_, cells, names_); }

 private:
  const Events &events_;
  const void *record_;
  Names &names_;
};

// What is done with a record, and with nullptr at the end.
using Take = std::function<void(const void *record, Names &names)>;

// The names that a row needs are recorded even if it is not shown.
Take take_of(Session &session, const Events &events, const Keep &keep) {
  const auto show = [&session, &events, keep](const void *record, Names &names) {
    const RecordRow row(events, record, names);
    if (!keep || keep(record)) session.out().event(session.columns(), row);
    if (NoCells none; session.out().wants_records()) row.give(none);
  };
  if (events.expand == nullptr) {
    return [show](const void *record, Names &names) {
      if (record != nullptr) show(record, names);
    };
  }
  return [show, expand = events.expand()](const void *record, Names &names) {
    const auto put = [&show, &names](const void *one) { show(one, names); };
    expand(record, names, put);
  };
}

}  // namespace

void show_lines(Session &session, const Tool &tool, size_t columns, std::string_view table_option) {
  refuse(session.values(), {"interval", "count", "sort", "rows"}, "is for the table of " + std::string(table_option));
  Tool shown = tool;
  shown.takes &= ~(kTakesInterval | kTakesTable);
  shown.columns = shown.columns.first(columns);
  session.show(shown);
}

int run_events(Session &session, Object &object, const Events &events, const Keep &keep, const EventsMoments &moments) {
  session.prepare(object);
  Ring ring(object.map_fd("events"));
  Names names(session.out(), &object);
  uint64_t short_records = 0;
  const Take give = take_of(session, events, keep);
  const auto take = [&](const void *record, size_t size) {
    if (size < events.least) {
      short_records++;
      return;
    }
    give(record, names);
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
  give(nullptr, names);
  std::vector<Loss> lost = object.losses(events.losses);
  lost.push_back({.reason = "record shorter than expected", .count = short_records});
  session.report(std::move(lost));
  return session.finish();
}

void add_event(Session &session, const Events &events, const void *record) {
  Names none;
  session.out().event(session.columns(), RecordRow(events, record, none));
  session.out().record(*events.wire, record);
}

int replay_events(Recording &recording, Session &session, const Events &events) {
  const Take take = take_of(session, events, {});
  Names none;
  return replay_records(
      recording, session, {&events.wire, 1},
      [&](const WireRecord &record, Names &names) { take(record.bytes.data(), names); }, [&] { take(nullptr, none); });
}

}  // namespace strata
