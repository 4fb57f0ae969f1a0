// The rhythm of the shapes that print counters: every --interval, and at the end what is left; ends after --count.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "bpf/counters.h"
#include "rec/wire.h"
#include "run/names.h"

namespace strata {

class Object;
class Session;
struct Entries;

// Reads the counters of `map`: `each(entry)` for every key where something was added, then `put(from_ns, to_ns)`.
// Without an interval there is one, from the start to the end. The exit status.
struct Intervals {
  std::function<void(const void *entry, Names &names)> each;
  std::function<void(uint64_t from_ns, uint64_t to_ns)> put;
  bool empty_has_entry = false;  // one without entries is recorded as an entry of zeros
};
int run_intervals(Session &session, Object &object, std::string_view map, const Entries &entries,
                  const Intervals &intervals, std::span<const std::string_view> losses);

// The same of counters that are not in a map: `open` is called once, after the programs are loaded and before they are
// attached; what it gives, for each reading.
using Take = std::function<void(const Counters::Each &each)>;
struct Source {
  size_t key_bytes;
  std::function<Take()> open;
};
int run_intervals(Session &session, Object &object, const Source &source, const Entries &entries,
                  const Intervals &intervals, std::span<const std::string_view> losses);

// The same from a recording, whose entries tell their intervals; one without an entry is a record of this type.
extern const Wire kIntervalWire;
int replay_intervals(class Recording &recording, Session &session, const Entries &entries, const Intervals &intervals);

}  // namespace strata
