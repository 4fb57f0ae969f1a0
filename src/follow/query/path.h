// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Who served a request: from the thread that read it to the one that answered, as far as that is proven.
//
// The thread that answers is the proof. Where it is the reader, the request was its own; where the reader woke it
// before, and it dealt with no other client since, the request was handed over to it. What else threads do in between
// is nobody's to tell. The kernel counts how often each thread got a CPU, so that a wait that was not told shows, and
// no time of it is attributed.
//
// Rejected: that a busy worker of a pool took it up when it had answered somebody else. Where other stages work before
// the one that answers, 252 of 262 requests were told so wrongly; and what a worker does after an answer (a log, an
// fsync) was the next request's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "follow/query.h"
#include "model/sample.h"

namespace strata {

enum class Grade : uint8_t {
  kOwn,        // the threads of the path served nobody else meanwhile
  kShared,     // they did: what they spent is not this request's alone
  kTimes,      // not proven, or waits were missed: when it was read and answered is all that is known
  kElsewhere,  // on another machine than its client's, on which it was followed
};

struct Stretch {  // of the path, by one thread
  uint32_t tid;
  uint64_t from_ns, to_ns;
};

struct ServedBy {
  Grade grade = Grade::kTimes;
  std::vector<Stretch> path;  // empty: not known
  size_t others = 0;          // other clients' connections, of kShared
};

// `own`: the request's reads and sends; `threads`: what is told of threads, with reads and sends of other requests;
// both in order of time. Without an answer the path goes on to `end_ns`.
ServedBy served_by(std::span<const query_hop> own, std::span<const query_hop> threads, uint64_t end_ns);

}  // namespace strata
