// The shape of a snoop: each record of the ring buffer becomes a row.
//
//   void give(const open_event &e, Cells &cells, Names &names) { cells.number(e.ts_ns); ... }  a value for each column
//   const Events kEvents = events_of<open_event, give>(kOpenWire);
//   ... run_events(session, object, kEvents);        .replay = replay_events<kEvents>
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

#include "model/cells.h"
#include "model/column.h"
#include "rec/wire.h"

namespace strata {

class Names;
class Object;
class Recording;
class Session;
struct Tool;

// Where a record is not a row (of an exec and the end of its process one is made): called for each record, and with
// nullptr at the end of the run. What it puts is a record, or what it made for `give`. What it keeps is of one run.
class PutRecord {  // refers to a function of the caller's, which std::function would wrap for each record
 public:
  template <typename Put>
  PutRecord(const Put &put)
      : put_(&put), call_([](const void *p, const void *record) { (*static_cast<const Put *>(p))(record); }) {}
  void operator()(const void *record) const { call_(put_, record); }

 private:
  const void *put_;
  void (*call_)(const void *put, const void *record);
};
using Expand = std::function<void(const void *record, Names &names, const PutRecord &put)>;

// `give` and `expand` see a record of at least `least` bytes; of text in its last field all up to a zero byte is there.
struct Events {
  const Wire *wire;
  size_t least;                                        // a record may end within its last field, if that is text
  void (*give)(const void *record, Cells &, Names &);  // only what is shown or recorded is made
  std::span<const std::string_view> losses;            // names of the tool's own counters, from LOSS_TOOL
  Expand (*expand)() = nullptr;                        // one for each run
};

template <typename Record, void (*give)(const Record &, Cells &, Names &)>
constexpr Events events_of(const Wire &wire, std::span<const std::string_view> losses = {},
                           Expand (*expand)() = nullptr) {
  const WireField &last = wire.fields.back();
  return {.wire = &wire,
          .least = last.text ? last.offset + 1 : wire.size,
          .give = [](const void *record, Cells &cells,
                     Names &names) { give(*static_cast<const Record *>(record), cells, names); },
          .losses = losses,
          .expand = expand};
}

// What is given is not shown if `keep` is false of it (it is recorded); without it all is.
using Keep = std::function<bool(const void *record)>;

template <typename Record, typename Passes>
Keep keep_if(Passes passes) {
  return [passes](const void *record) { return passes(*static_cast<const Record *>(record)); };
}

// What a tool does besides, at two moments of a run.
struct EventsMoments {
  using Take = std::function<void(const void *record, size_t size)>;
  std::function<void()> attached = {};              // when the object is, before a command begins
  std::function<void(const Take &take)> left = {};  // at the end: records of what the BPF side has not sent
};

// Of a tool that makes a table with `table_option`, without it: lines, of the first so many of its columns. Throws a
// usage Error where an option of the table is given.
void show_lines(Session &session, const Tool &tool, size_t columns, std::string_view table_option);

// The exit status.
int run_events(Session &session, Object &object, const Events &events, const Keep &keep = {},
               const EventsMoments &moments = {});
int replay_events(Recording &recording, Session &session, const Events &events);

// A whole record that the BPF side has not sent, during the run. It needs no names.
void add_event(Session &session, const Events &events, const void *record);

template <const Events &events>
int replay_events(Recording &recording, Session &session) {
  return replay_events(recording, session, events);
}

}  // namespace strata
