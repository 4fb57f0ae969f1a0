// The shape of a snoop: each record of the ring buffer becomes a row.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "model/column.h"

namespace strata {

class Object;
class Session;

// `decode` turns a record of at least `record_size` bytes into a row of the tool's columns. `losses` names the tool's
// own counters, from LOSS_TOOL. The exit status.
int run_events(Session &session, Object &object, size_t record_size, Row (*decode)(const void *record),
               std::span<const std::string_view> losses = {});

template <typename Record, Row (*decode)(const Record &)>
int run_events(Session &session, Object &object, std::span<const std::string_view> losses = {}) {
  return run_events(
      session, object, sizeof(Record), [](const void *record) { return decode(*static_cast<const Record *>(record)); },
      losses);
}

}  // namespace strata
