// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a thread asks of other servers in turn, for the request that it serves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "follow/query.h"

namespace strata {

class UpstreamRequests {
 public:
  // Of `tid`. `upstream`: all that is told of such requests; `threads` and `own`: of the followed one.
  UpstreamRequests(uint32_t tid, std::span<const query_upstream> upstream, std::span<const query_hop> threads,
                   std::span<const query_hop> own);

  // Where the thread's requests begin: of several sends in a row on one connection with the first.
  [[nodiscard]] std::span<const query_upstream *const> begun() const { return begun_; }

  // The server that the thread waited for: its answer came in the meantime, and the thread read it next, before it read
  // more of the followed request or slept again. After connect() the one to which it then sends for the first time.
  // nullptr: none that it had asked.
  [[nodiscard]] const query_upstream *waited_for(const query_hop &wait) const;

 private:
  struct Step {  // of the thread, after which it has turned to something else
    uint64_t ts_ns;
    const query_upstream *upstream;  // nullptr: it slept, or read
    bool was_sent_to;                // before, on that connection
  };

  std::vector<const query_upstream *> begun_;
  std::vector<Step> steps_;  // in order of time
};

}  // namespace strata
