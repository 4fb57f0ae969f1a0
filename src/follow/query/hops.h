// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A followed request in the field's words: its columns, and the hops that its records become.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "follow/collector.h"
#include "follow/query.h"
#include "follow/query/disk_request.h"
#include "follow/query/path.h"
#include "model/sample.h"

namespace strata {

inline constexpr Outcome kAnsweredOwn{.key = "own", .name = "own", .is_good = true};
inline constexpr Outcome kAnsweredShared{.key = "shared", .name = "shared", .is_good = true};
inline constexpr Outcome kAnsweredTimes{.key = "times", .name = "times only", .is_good = true};
inline constexpr Outcome kAnsweredElsewhere{.key = "elsewhere", .name = "served elsewhere", .is_good = true};
inline constexpr Outcome kNotAnswered{.key = "pending", .name = "not answered"};  // when the run ended
extern const Procedure kQueryProcedure;
extern const std::span<const Field *const> kQuerySampleColumns, kQueryHopColumns;

struct QueryRecords {
  query_start start = {};
  std::string label, traceparent;        // empty: not asked for, or not known
  std::vector<query_hop> own;            // in order of time, without the start
  std::vector<query_hop> threads;        // of the threads that may have served it, and may not
  std::vector<query_hop> client;         // waits of the thread that sent it, once it is answered
  std::vector<query_upstream> upstream;  // what these threads asked of other servers
  DiskRequests disk_requests;            // and waited for
  bool cut = false;                      // there were too many of them, and it is not known who served it
};

const Outcome &outcome_of(Grade grade);  // of one that was answered

// What happened, hop by hop, into `sample`, with its fields; and by whom it was served.
Grade describe(const QueryRecords &records, Sample &sample);

}  // namespace strata
