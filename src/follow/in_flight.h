// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Samples under way, in the order in which they began: what the trackers of all procedures keep of them, and what
// becomes of those that are left when the run is over.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "follow/collector.h"
#include "model/loss.h"
#include "model/sample.h"

namespace strata {

struct InFlightSample {  // a procedure adds what else it keeps of one
  Sample sample;
  uint64_t id = 0;       // the BPF side's
  uint64_t left_ns = 0;  // when the call returned
  bool refused = false;  // with -EAGAIN, may come again
};

// What may have cost a sample that has not ended its hops: the first loss but those that take none; empty: nothing.
inline std::string lost_by(const std::vector<Loss> &losses, std::initializer_list<std::string_view> harmless) {
  for (const Loss &loss : losses)
    if (loss.count > 0 && std::ranges::find(harmless, loss.reason) == harmless.end()) return std::string(loss.reason);
  return {};
}

template <std::derived_from<InFlightSample> F>
class InFlightSamples {
 public:
  // Its sample has the next number.
  F &add(uint64_t id, uint64_t start_ns) {
    F &flight = all_.emplace_back();
    flight.id = id;
    flight.sample.id = ++begun_;
    flight.sample.start_ns = start_ns;
    by_id_[id] = std::prev(all_.end());
    return flight;
  }
  void remove(const F &flight) {
    const auto it = by_id_.find(flight.id);
    all_.erase(it->second);
    by_id_.erase(it);
  }
  [[nodiscard]] F *find(uint64_t id) {
    const auto it = by_id_.find(id);
    return it == by_id_.end() ? nullptr : &*it->second;
  }
  [[nodiscard]] bool contains(uint64_t id) const { return by_id_.contains(id); }
  template <typename Fn>
  void each(Fn &&fn) {  // which may remove the one that it is given
    for (auto it = all_.begin(); it != all_.end();) {
      F &flight = *it++;
      fn(flight);
    }
  }

  [[nodiscard]] bool calling() const {  // some system call has not returned
    return std::any_of(all_.begin(), all_.end(), [](const F &f) { return f.left_ns == 0 && !f.refused; });
  }
  [[nodiscard]] uint64_t begun() const { return begun_; }  // in all
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] size_t size() const { return all_.size(); }

  // `end` ends the one that it is given, and removes it. Those that were sampled and never reported are lost, too.
  template <typename Fn>
  void end_all(Collector &collector, uint64_t sampled, const std::string &lost, Fn &&end) {
    while (!all_.empty()) end(all_.front());
    if (sampled > begun_) collector.lose(lost.empty() ? "never reported" : lost, sampled - begun_);
  }

 private:
  std::list<F> all_;
  std::unordered_map<uint64_t, typename std::list<F>::iterator> by_id_;
  uint64_t begun_ = 0;
};

}  // namespace strata
