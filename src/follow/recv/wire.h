// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The records that follow recv has beside those of send.
#pragma once

#include "follow/send.h"
#include "rec/record_line.h"

namespace strata {

extern const RecordType kRecvHopRecord, kRecvStartRecord;

const RecordType &recv_record_of(const send_hop &hop);

}  // namespace strata
