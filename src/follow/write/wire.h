// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The records of followed writes, as the BPF side sends them.
#pragma once

#include <cstdint>

#include "follow/follow.h"
#include "rec/record_line.h"

namespace strata {

extern const RecordType kHopRecord, kStartRecord;

const RecordType &record_of(const follow_hop &hop);

}  // namespace strata
