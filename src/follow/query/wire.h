// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The records of followed requests, as the BPF side sends them.
#pragma once

#include "follow/query.h"
#include "rec/record_line.h"

namespace strata {

extern const RecordType kQueryHopRecord, kQueryStartRecord;

const RecordType &record_of(const query_hop &hop);

}  // namespace strata
