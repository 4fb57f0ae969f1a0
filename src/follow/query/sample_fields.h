// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What is told of a followed request as a whole: its columns.
#pragma once

#include <cstdint>
#include <vector>

#include "follow/query.h"
#include "follow/query/hops.h"
#include "follow/query/path.h"
#include "model/sample.h"

namespace strata {

// Of its records.
struct RequestSeen {
  const query_hop *read = nullptr, *received = nullptr, *client = nullptr;  // the first ones
  uint32_t request_bytes = 0, answer_bytes = 0;
  uint64_t pieces = 1;  // in which it arrived
};

extern const Field kQueryLabel;

std::vector<NamedValue> query_sample_fields(const QueryRecords &records, const ServedBy &served,
                                            const RequestSeen &seen);

}  // namespace strata
