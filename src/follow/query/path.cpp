// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/path.h"

#include <algorithm>
#include <optional>
#include <set>

#include "follow/query/waits.h"

namespace strata {
namespace {

bool is_answer(const query_hop &hop) { return hop.kind == QUERY_SEND && (hop.flags & QUERY_BY_TASK); }

// With another client: what the thread did for that is not this request's.
bool is_deal(const query_hop &hop) { return hop.kind == QUERY_OTHER || hop.kind == QUERY_READ || is_answer(hop); }

bool deals(std::span<const query_hop> threads, uint32_t tid, uint64_t from_ns, uint64_t to_ns) {
  return std::ranges::any_of(threads, [&](const query_hop &hop) {
    return hop.tid == tid && is_deal(hop) && hop.ts_ns > from_ns && hop.ts_ns < to_ns;
  });
}

// Something of its own had not yet ended when it was woken: it was at work before.
bool was_busy(std::span<const query_hop> threads, const query_hop &wake) {
  return std::ranges::any_of(threads, [&](const query_hop &hop) {
    const std::string_view layer = layer_of_wait(hop);
    return hop.kind == QUERY_WAIT && hop.tid == wake.other_tid && hop.out_ns < wake.ts_ns && hop.ts_ns > wake.ts_ns &&
           layer != kLock && layer != kSocketWait && hop.call != QUERY_NO_CALL;
  });
}

// When `reader` woke `worker` for what that answered at `to_ns`: the first time after it last dealt with somebody else.
const query_hop *handed_over(std::span<const query_hop> threads, uint32_t reader, uint32_t worker, uint64_t from_ns,
                             uint64_t to_ns) {
  for (const query_hop &hop : threads)
    if (hop.kind == QUERY_WAKE && hop.tid == reader && hop.other_tid == worker && hop.ts_ns > from_ns &&
        hop.ts_ns < to_ns && may_hand_over(hop) && !was_busy(threads, hop) && !deals(threads, worker, hop.ts_ns, to_ns))
      return &hop;
  return nullptr;
}

size_t others_of(const Stretch &part, std::span<const query_hop> threads) {
  std::set<uint64_t> socks;
  for (const query_hop &hop : threads)
    if (hop.tid == part.tid && is_deal(hop) && hop.ts_ns > part.from_ns && hop.ts_ns < part.to_ns)
      socks.insert(hop.sock);
  return socks.size();
}

// Each wait of the thread was told between the two counts of its arrivals; of a worker the first is that before its
// first wait, and without an answer there is no second.
bool all_told(const Stretch &part, std::span<const query_hop> threads, std::optional<uint64_t> first,
              std::optional<uint64_t> last) {
  std::optional<uint64_t> count = first;
  for (const query_hop &hop : threads) {
    if (hop.kind != QUERY_WAIT || hop.tid != part.tid || hop.ts_ns <= part.from_ns || hop.ts_ns >= part.to_ns) continue;
    if (count && hop.arrivals != *count + 1) return false;
    count = hop.arrivals;
  }
  return !count || !last || *count == *last;
}

}  // namespace

ServedBy served_by(std::span<const query_hop> own, std::span<const query_hop> threads, uint64_t end_ns) {
  const auto answer = std::ranges::find_if(own, [](const query_hop &hop) { return hop.kind == QUERY_SEND; });
  const auto read = std::ranges::find(own, uint32_t{QUERY_READ}, &query_hop::kind);
  if (read == own.end() || read > answer) return {};
  const uint32_t reader = read->tid;
  const bool one_reader =
      std::all_of(read, answer, [&](const query_hop &hop) { return hop.kind != QUERY_READ || hop.tid == reader; });
  if (!one_reader) return {};
  ServedBy served = {.grade = Grade::kOwn, .path = {{reader, read->ts_ns, end_ns}}};
  bool told = true;
  if (answer == own.end()) {
    told = all_told({reader, read->ts_ns, UINT64_MAX}, threads, read->arrivals, std::nullopt);
  } else {
    if (!is_answer(*answer)) return {};  // TCP sent it later: by whom it was written is not known
    const query_hop *last = &*answer;
    for (const query_hop &hop : own)
      if (is_answer(hop) && hop.tid == answer->tid) last = &hop;
    served.path[0].to_ns = last->ts_ns;
    if (answer->tid == reader) {
      told = all_told(served.path[0], threads, read->arrivals, last->arrivals);
    } else {
      const query_hop *handed = handed_over(threads, reader, answer->tid, read->ts_ns, answer->ts_ns);
      if (handed == nullptr) return {};
      served.path = {{reader, read->ts_ns, handed->ts_ns}, {answer->tid, handed->ts_ns, last->ts_ns}};
      told = all_told(served.path[0], threads, read->arrivals, handed->arrivals) &&
             all_told(served.path[1], threads, std::nullopt, last->arrivals);
    }
  }
  for (const Stretch &part : served.path) served.others += others_of(part, threads);
  if (served.others != 0) served.grade = Grade::kShared;
  return told ? served : ServedBy{};
}

}  // namespace strata
