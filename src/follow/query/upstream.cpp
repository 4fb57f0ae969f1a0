// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/upstream.h"

#include <algorithm>
#include <cstdint>
#include <ranges>

#include "follow/query/waits.h"
#include "kern/syscall.h"

namespace strata {
namespace {

bool is_connect(const query_hop &wait) {
  return wait.call >= 0 && syscall_name(static_cast<uint64_t>(wait.call)) == "connect";
}

// When the thread next slept or read more of the request.
uint64_t until(const query_hop &wait, std::span<const query_hop> threads, std::span<const query_hop> own) {
  uint64_t end_ns = UINT64_MAX;
  for (const query_hop &hop : threads)
    if (hop.kind == QUERY_WAIT && hop.tid == wait.tid && hop.ts_ns > wait.ts_ns && !(hop.flags & QUERY_PREEMPTED))
      end_ns = std::min<uint64_t>(end_ns, hop.out_ns);
  for (const query_hop &hop : own)
    if (hop.kind == QUERY_READ && hop.tid == wait.tid && hop.ts_ns >= wait.ts_ns)
      end_ns = std::min<uint64_t>(end_ns, hop.ts_ns);
  return end_ns;
}

}  // namespace

const query_upstream *upstream_of(const query_hop &wait, std::span<const query_upstream> upstream,
                                  std::span<const query_hop> threads, std::span<const query_hop> own) {
  if (layer_of_wait(wait) != kSocketWait || upstream.empty()) return nullptr;
  const auto next = std::ranges::find_if(
      upstream, [&](const query_upstream &one) { return one.hop.tid == wait.tid && one.hop.ts_ns >= wait.ts_ns; });
  if (next == upstream.end() || next->hop.ts_ns > until(wait, threads, own)) return nullptr;
  return next->hop.kind == QUERY_UPSTREAM_READ || is_connect(wait) ? &*next : nullptr;
}

bool begins_request(std::span<const query_upstream> upstream, const query_upstream &send) {
  if (send.hop.kind != QUERY_UPSTREAM_SEND) return false;
  const auto before = upstream.first(static_cast<size_t>(&send - upstream.data()));
  for (const query_upstream &one : before | std::views::reverse)
    if (one.hop.sock == send.hop.sock) return one.hop.kind == QUERY_UPSTREAM_READ;
  return true;
}

}  // namespace strata
