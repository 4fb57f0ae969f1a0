// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/histogram.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "bpf/object.h"
#include "cli/values.h"
#include "lib/core/hist_slots.h"
#include "model/column_choice.h"
#include "model/distribution.h"
#include "render/percentiles.h"
#include "run/intervals.h"
#include "run/session.h"
#include "run/unused_maps.h"

namespace strata {
namespace {

const HistogramSpec &spec_of(const Session &session) { return std::get<HistogramSpec>(session.view().shape); }

// Of all values of one.
struct Number {
  std::string_view key;
  double (*of)(const Histogram &values);
};
template <size_t kPlace>
constexpr Number kPercentile = {kPercentiles[kPlace].key, [](const Histogram &values) {
                                  return static_cast<double>(values.percentile(kPercentiles[kPlace].p));
                                }};
constexpr Number kNumbers[] = {{"count", [](const Histogram &values) { return static_cast<double>(values.count()); }},
                               {"avg", [](const Histogram &values) { return values.average(); }},
                               {"sum", [](const Histogram &values) { return static_cast<double>(values.sum()); }},
                               kPercentile<0>,
                               kPercentile<1>,
                               kPercentile<2>,
                               kPercentile<3>,
                               kPercentile<4>};
static_assert(std::size(kPercentiles) == 5);

// The slots of an interval, by what tells the histograms apart.
class Folding {
 public:
  Folding(Session &session, const HistogramSpec &spec)
      : session_(session), spec_(spec), order_(session, session.columns()) {
    for (const Field &column : session.columns().subspan(1))
      if (session.applies(column)) keys_.push_back(&column);
    alone_ = session.options_known() && keys_.empty();
    several_ = session.options_known() && !keys_.empty();
  }

  void add(const RecordView &entry) {
    const auto values = load_at<hist_values>(entry.data, spec_.values_at);
    std::vector<NamedValue> keys = keys_of(entry);
    if (values.count == 0 && (several_ || !keys.empty())) return;  // it says that there was this interval
    Row row;
    for (const NamedValue &key : keys) row.push_back(key.value);
    Distribution &one = found_[row];
    one.keys = std::move(keys);
    const uint32_t slot = load_at<uint32_t>(entry.data, spec_.slot_at) % HIST_SLOTS;
    if (slot != 0 && (values.max == 0 || values.sum == 0))  // of an older recording
      one.values.add_slot(slot, values.count);
    else
      one.values.add_values(slot, values.count, values.sum, values.max);
  }

  [[nodiscard]] bool is_keyed() const {
    const auto is_of_slot = [&](const Field *key) { return key->offset == spec_.slot_at; };
    return spec_.unkeyed.empty() || !std::ranges::all_of(keys_, is_of_slot);
  }

  void put(uint64_t from_ns, uint64_t to_ns) {
    if (alone_) found_[{}];
    std::vector<Distribution> all;
    all.reserve(found_.size());
    for (auto &[row, distribution] : std::exchange(found_, {})) {
      distribution.column = &session_.columns().front();
      distribution.from_ns = from_ns;
      distribution.to_ns = to_ns;
      all.push_back(std::move(distribution));
    }
    const size_t left_out = order_.apply(all);
    for (const Distribution &one : all) session_.out().put(one);
    session_.out().put(Interval{.from_ns = from_ns, .to_ns = to_ns, .left_out = left_out});
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
  HistogramOrder order_;
  std::vector<const Field *> keys_;
  bool alone_;    // there is one histogram, also of no values
  bool several_;  // none of them is without keys
  std::map<Row, Distribution> found_;
};

Intervals slots_of(Folding &folding) {
  return {.each = [&](const RecordView &entry) { folding.add(entry); },
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

std::vector<Field> sortable_of_histograms(Schema columns) {
  std::vector<Field> all(columns.begin() + 1, columns.end());
  for (const Number &number : kNumbers) all.push_back({.key = number.key});
  return all;
}

HistogramOrder::HistogramOrder(Session &session, Schema columns) {
  const Values &sorted = session.values_with("sort"), &cut = session.values_with("rows");
  if (cut.given("rows")) most_ = cut.number("rows");
  if (!sorted.given("sort") && !cut.given("rows")) return;
  const std::vector<Field> by = sortable_of_histograms(columns);
  const size_t place = column_named(by, "sort", sorted.given("sort") ? sorted.text("sort") : kNumbers[0].key);
  const size_t keys = by.size() - std::size(kNumbers);
  if (place < keys)
    key_ = by[place].key;
  else
    number_ = kNumbers[place - keys].of;
}

size_t HistogramOrder::apply(std::vector<Distribution> &all) const {
  if (number_ != nullptr)
    std::ranges::stable_sort(all, std::greater(), [this](const Distribution &one) { return number_(one.values); });
  if (!key_.empty())
    std::ranges::stable_sort(all, [this](const Distribution &a, const Distribution &b) { return is_before(a, b); });
  const size_t left_out = all.size() - std::min<size_t>(all.size(), most_);
  all.resize(all.size() - left_out);
  return left_out;
}

bool HistogramOrder::is_before(const Distribution &a, const Distribution &b) const {
  const auto value = [this](const Distribution &one) {
    const auto found =
        std::ranges::find_if(one.keys, [this](const NamedValue &key) { return key.column->key == key_; });
    return found == one.keys.end() ? Value() : found->value;
  };
  return comes_first(value(a), value(b));
}

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
