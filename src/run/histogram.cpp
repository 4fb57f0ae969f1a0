#include "run/histogram.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "bpf/object.h"
#include "lib/core/hist_slots.h"
#include "model/distribution.h"
#include "run/intervals.h"
#include "run/session.h"

namespace strata {
namespace {

template <typename T>
T load(const void *entry, size_t at) {
  T value;
  memcpy(&value, static_cast<const std::byte *>(entry) + at, sizeof(value));
  return value;
}

// The slots of an interval, by what tells the histograms apart.
class Folding {
 public:
  Folding(Session &session, const Histograms &histograms) : session_(session), histograms_(histograms) {}

  void add(const void *entry, Names &names) {
    const auto count = load<uint64_t>(entry, histograms_.count_at);
    std::vector<Field> keys = histograms_.keys ? histograms_.keys(entry, names) : std::vector<Field>{};
    if (count == 0 && !keys.empty()) return;  // it says that there was this interval
    Row row;
    for (const Field &key : keys) row.push_back(key.value);
    Distribution &one = found_[row];
    one.keys = std::move(keys);
    one.values.add(Histogram::slot_high(load<uint32_t>(entry, histograms_.slot_at) % HIST_SLOTS), count);
  }

  [[nodiscard]] bool empty_has_entry() const { return !histograms_.keys || histograms_.beside_tables; }

  void put(uint64_t from_ns, uint64_t to_ns) {
    if (!histograms_.keys) found_[{}];
    for (auto &[row, distribution] : std::exchange(found_, {})) {
      distribution.column = histograms_.column;
      distribution.from_ns = from_ns;
      distribution.to_ns = to_ns;
      session_.out().distribution(distribution);
    }
    session_.out().interval(from_ns, to_ns);
  }

 private:
  Session &session_;
  const Histograms &histograms_;
  std::map<Row, Distribution> found_;
};

Intervals slots_of(Folding &folding) {
  return {.each = [&](const void *entry, Names &names) { folding.add(entry, names); },
          .put = [&](uint64_t from_ns, uint64_t to_ns) { folding.put(from_ns, to_ns); },
          .empty_has_entry = folding.empty_has_entry()};
}

}  // namespace

void without_groups(Object &object, std::string_view by_map) {
  for (const std::string_view map :
       {by_map, std::string_view("hist_groups"), std::string_view("hist_blocks"), std::string_view("hist_numbers")})
    object.set_max_entries(map, 1);
}

int run_histogram(Session &session, Object &object, std::string_view map, const Histograms &histograms) {
  Folding folding(session, histograms);
  return run_intervals(session, object, map, histograms.entries, slots_of(folding), histograms.losses);
}

int replay_histogram(Recording &recording, Session &session, const Histograms &histograms) {
  Folding folding(session, histograms);
  return replay_intervals(recording, session, histograms.entries, slots_of(folding));
}

}  // namespace strata
