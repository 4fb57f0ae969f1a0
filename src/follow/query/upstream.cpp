// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/upstream.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "follow/query/waits.h"
#include "kern/syscall.h"

namespace strata {
namespace {

// What came a little before the thread was woken has woken it: TCP acknowledges what lies unread later than that.
constexpr uint64_t kWakeNs = 5'000'000;

using Connection = std::tuple<uint64_t, uint64_t, uint64_t, uint32_t>;  // a socket's address may be another's before

Connection connection_of(const query_upstream &one) {
  return {one.hop.sock, one.ends.remote_hi, one.ends.remote_lo, one.ends.remote_port};
}

bool is_connect(const query_hop &wait) {
  return wait.call >= 0 && syscall_name(static_cast<uint64_t>(wait.call)) == "connect";
}

bool came_during(const query_hop &wait, uint64_t ns) {
  const uint64_t woken_ns = wait.wake_ns != 0 ? wait.wake_ns : wait.ts_ns;
  return ns + kWakeNs >= woken_ns && ns + 1000 >= wait.out_ns;  // it is in microseconds
}

}  // namespace

UpstreamRequests::UpstreamRequests(uint32_t tid, std::span<const query_upstream> upstream,
                                   std::span<const query_hop> threads, std::span<const query_hop> own) {
  std::map<Connection, bool> asks;  // something was sent, and nothing read since
  for (const query_upstream &one : upstream) {
    const bool sends = one.hop.kind == QUERY_UPSTREAM_SEND;
    const auto [known, is_new] = asks.try_emplace(connection_of(one), false);
    if (one.hop.tid == tid) {
      if (sends && (!known->second || one.hop.flags & QUERY_FIRST)) begun_.push_back(&one);
      steps_.push_back({one.hop.ts_ns, &one, !is_new});
    }
    known->second = sends;
  }
  for (const query_hop &hop : threads)
    if (hop.kind == QUERY_WAIT && hop.tid == tid && !(hop.flags & QUERY_PREEMPTED))
      steps_.push_back({hop.out_ns, nullptr, false});
  for (const query_hop &hop : own)
    if (hop.kind == QUERY_READ && hop.tid == tid) steps_.push_back({hop.ts_ns, nullptr, false});
  std::ranges::stable_sort(steps_, {}, &Step::ts_ns);
}

const query_upstream *UpstreamRequests::waited_for(const query_hop &wait) const {
  if (layer_of_wait(wait) != kSocketWait) return nullptr;
  const auto next = std::ranges::lower_bound(steps_, wait.ts_ns, {}, &Step::ts_ns);
  if (next == steps_.end() || next->upstream == nullptr) return nullptr;
  const query_hop &hop = next->upstream->hop;
  const bool is_answer = hop.kind == QUERY_UPSTREAM_READ && next->was_sent_to && came_during(wait, hop.wake_ns);
  return is_answer || (is_connect(wait) && hop.flags & QUERY_FIRST) ? next->upstream : nullptr;
}

}  // namespace strata
