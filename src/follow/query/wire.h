// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The records of followed requests, as the BPF side sends them.
#pragma once

#include <cstdint>

#include "follow/query.h"
#include "follow/query/label.h"
#include "follow/query/traceparent.h"
#include "rec/record_line.h"

namespace strata {

// What a request asks for: stands before the record of the read that told it. The bytes themselves are not recorded.
struct query_label {
  uint64_t id;  // of the sample
  char text[kMostLabel];
  char traceparent[kTraceparentSize + 1];  // of HTTP; empty: it has none
};

extern const RecordType kQueryHopRecord, kQueryStartRecord, kQueryUpstreamRecord, kQueryBlockRecord, kQueryLabelRecord;

// A sample begins, of a connection that was chosen at its client's socket.
inline bool is_from_client(const query_hop &hop) {
  return hop.kind == QUERY_CLIENT_SEND && (hop.flags & QUERY_FROM_CLIENT) != 0;
}
inline bool begins_sample(const query_hop &hop) { return hop.kind == QUERY_ARRIVE || hop.kind == QUERY_CLIENT_SEND; }

inline bool asks_upstream(const query_hop &hop) {
  return hop.kind == QUERY_UPSTREAM_SEND || hop.kind == QUERY_UPSTREAM_READ;
}

inline bool is_unix(const query_start &start) { return start.path[0] != 0; }

const RecordType &record_of(const query_hop &hop);

}  // namespace strata
