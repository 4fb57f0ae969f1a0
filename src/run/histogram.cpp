#include "run/histogram.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bpf/object.h"
#include "lib/core/hist_slots.h"
#include "model/distribution.h"
#include "run/intervals.h"
#include "run/session.h"
#include "run/unused_maps.h"

namespace strata {
namespace {

const HistogramSpec &spec_of(const Session &session) { return std::get<HistogramSpec>(session.view().shape); }

// The slots of an interval, by what tells the histograms apart.
class Folding {
 public:
  Folding(Session &session, const HistogramSpec &spec) : session_(session), spec_(spec) {
    for (const Field &column : session.columns().subspan(1))
      if (session.applies(column)) keys_.push_back(&column);
    alone_ = session.options_known() && keys_.empty();
    several_ = session.options_known() && !keys_.empty();
  }

  void add(const void *entry, Resolver &resolver) {
    const auto count = load_at<uint64_t>(entry, spec_.count_at);
    std::vector<NamedValue> keys = keys_of({.data = entry, .resolver = resolver});
    if (count == 0 && (several_ || !keys.empty())) return;  // it says that there was this interval
    Row row;
    for (const NamedValue &key : keys) row.push_back(key.value);
    Distribution &one = found_[row];
    one.keys = std::move(keys);
    one.values.add(Histogram::slot_high(load_at<uint32_t>(entry, spec_.slot_at) % HIST_SLOTS), count);
  }

  [[nodiscard]] bool is_keyed() const {
    const auto is_of_slot = [&](const Field *key) { return key->offset == spec_.slot_at; };
    return spec_.unkeyed.empty() || !std::ranges::all_of(keys_, is_of_slot);
  }

  void put(uint64_t from_ns, uint64_t to_ns) {
    if (alone_) found_[{}];
    for (auto &[row, distribution] : std::exchange(found_, {})) {
      distribution.column = &session_.columns().front();
      distribution.from_ns = from_ns;
      distribution.to_ns = to_ns;
      session_.out().put(distribution);
    }
    session_.out().put(Interval{.from_ns = from_ns, .to_ns = to_ns});
  }

 private:
  // A column that writes nothing does not apply to this entry.
  std::vector<NamedValue> keys_of(const RecordView &entry) const {
    std::vector<NamedValue> keys;
    for (const Field *column : keys_) {
      Row value = row_of({column, 1}, entry);
      if (!std::holds_alternative<std::monostate>(value[0])) keys.push_back({column, std::move(value[0])});
    }
    return keys;
  }

  Session &session_;
  const HistogramSpec &spec_;
  std::vector<const Field *> keys_;
  bool alone_;    // there is one histogram, also of no values
  bool several_;  // none of them is without keys
  std::map<Row, Distribution> found_;
};

Intervals slots_of(Folding &folding) {
  return {.each = [&](const void *entry, Resolver &resolver) { folding.add(entry, resolver); },
          .put = [&](uint64_t from_ns, uint64_t to_ns) { folding.put(from_ns, to_ns); }};
}

// Of a map whose key is the slot alone.
Entries slots_only(const HistogramSpec &spec) {
  Entries entries = spec.entries;
  entries.map = spec.unkeyed;
  entries.key_at = spec.slot_at;
  return entries;
}

}  // namespace

int run_histogram(Session &session, Object &object) {
  const HistogramSpec &spec = spec_of(session);
  Folding folding(session, spec);
  if (!folding.is_keyed()) shrink_groups(object, spec.entries.map);
  const Entries entries = folding.is_keyed() ? spec.entries : slots_only(spec);
  return run_intervals(session, object, entries, slots_of(folding), spec.losses);
}

int replay_histogram(Recording &recording, Session &session) {
  const HistogramSpec &spec = spec_of(session);
  Folding folding(session, spec);
  return replay_intervals(recording, session, spec.entries, slots_of(folding));
}

}  // namespace strata
