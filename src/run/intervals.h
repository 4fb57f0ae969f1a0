// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The rhythm of the shapes that print counters: every --interval, and at the end what is left; ends after --count.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "bpf/counters.h"
#include "model/record.h"
#include "run/resolver.h"
#include "run/view.h"

namespace strata {

class Object;
class Session;

// Reads the counters of the entries' map: `each(entry)` for every key where something was added, then `put(from_ns,
// to_ns)`. Without an interval there is one, from the start to the end. The exit status.
struct Intervals {
  std::function<void(const RecordView &entry)> each;
  std::function<void(uint64_t from_ns, uint64_t to_ns)> put;
};
int run_intervals(Session &session, Object &object, const Entries &entries, const Intervals &intervals,
                  std::span<const std::string_view> losses);

// The same of counters that are not in a map: `open` is called once, after the programs are loaded and before they are
// attached; what it gives, for each reading.
using ReadCounters = std::function<void(const Counters::Each &each)>;
struct Source {
  size_t key_bytes;
  std::function<ReadCounters()> open;
  std::function<Counters::Pending()> progress = {};  // what was counted until now
  std::function<void()> settle = {};                 // before the programs are detached: adds what is still going on
  StackFrames frames = nullptr;  // of the stacks that entries refer to, unless the object's map `stacks` has them
};
Source source_of(const Object &object, const Entries &entries);  // those of the entries' map
int run_intervals(Session &session, Object &object, const Source &source, const Entries &entries,
                  const Intervals &intervals, std::span<const std::string_view> losses);

// The same from a recording, whose entries tell their intervals; one without an entry is a record of this type, or a
// replay would have fewer intervals than the run.
extern const RecordType kIntervalRecord;
int replay_intervals(class Recording &recording, Session &session, const Entries &entries, const Intervals &intervals);

}  // namespace strata
