// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The records of followed sends, as the BPF side sends them.
#pragma once

#include "follow/send.h"
#include "rec/record_line.h"

namespace strata {

extern const RecordType kSendHopRecord, kSendStartRecord;

const RecordType &record_of(const send_hop &hop);

}  // namespace strata
