// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The records of followed requests, as the BPF side sends them.
#pragma once

#include <cstdint>

#include "follow/query.h"
#include "follow/query/label.h"
#include "rec/record_line.h"

namespace strata {

// What a request asks for: stands before the record of the read that told it. The bytes themselves are not recorded.
struct query_label {
  uint64_t id;  // of the sample
  char text[kMostLabel];
};

extern const RecordType kQueryHopRecord, kQueryStartRecord, kQueryLabelRecord;

const RecordType &record_of(const query_hop &hop);

}  // namespace strata
