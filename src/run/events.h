// The shape of a snoop: each record of the ring buffer becomes a row.
//
//   Row decode(const open_event &e, Names &names) { return {...}; }
//   const Events kEvents = events_of<open_event, decode>(kOpenWire);
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

// Records that become rows only together (an exec and the end of its process): called for each record instead of
// `decode`, and with nullptr at the end of the run. What it keeps is of one run.
using Put = std::function<void(const Row &)>;
using Join = std::function<void(const void *record, Names &names, const Put &put)>;

// The same of records that become rows by a decoder of Cells: what is put is a record, perhaps one that it made.
using PutRecord = std::function<void(const void *record)>;
using Expand = std::function<void(const void *record, const PutRecord &put)>;

// `decode` sees a record of at least `least` bytes; of text in its last field all up to a zero byte is there.
struct Events {
  const Wire *wire;
  size_t least;  // a record may end within its last field, if that is text
  Row (*decode)(const void *record, Names &names);
  std::span<const std::string_view> losses;  // names of the tool's own counters, from LOSS_TOOL
  Join (*join)() = nullptr;                  // one for each run
  void (*give)(const void *record, Cells &cells,
               Names &names) = nullptr;  // instead of `decode`: only what is shown is made
  Expand (*expand)() = nullptr;          // with `give` what `join` is without
};

template <typename Record, Row (*decode)(const Record &, Names &)>
constexpr Events events_of(const Wire &wire, std::span<const std::string_view> losses = {}, Join (*join)() = nullptr) {
  const WireField &last = wire.fields.back();
  return {
      .wire = &wire,
      .least = last.text ? last.offset + 1 : wire.size,
      .decode = [](const void *record, Names &names) { return decode(*static_cast<const Record *>(record), names); },
      .losses = losses,
      .join = join};
}

template <typename Record, void (*give)(const Record &, Cells &, Names &)>
constexpr Events events_of(const Wire &wire, std::span<const std::string_view> losses = {},
                           Expand (*expand)() = nullptr) {
  return {.wire = &wire,
          .least = wire.fields.back().text ? wire.fields.back().offset + 1 : wire.size,
          .decode = nullptr,
          .losses = losses,
          .give = [](const void *record, Cells &cells,
                     Names &names) { give(*static_cast<const Record *>(record), cells, names); },
          .expand = expand};
}

// Rows for which `keep` is false are not shown (they are recorded); without it all are.
using Keep = std::function<bool(const Row &)>;

// What a tool does besides, at two moments of a run.
struct EventsMoments {
  using Take = std::function<void(const void *record, size_t size)>;
  std::function<void()> attached = {};              // when the object is, before a command begins
  std::function<void(const Take &take)> left = {};  // at the end: records of what the BPF side has not sent
};

// The exit status.
int run_events(Session &session, Object &object, const Events &events, const Keep &keep = {},
               const EventsMoments &moments = {});
int replay_events(Recording &recording, Session &session, const Events &events);

template <const Events &events>
int replay_events(Recording &recording, Session &session) {
  return replay_events(recording, session, events);
}

}  // namespace strata
