// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/send/wire.h"

namespace strata {
namespace {

// send_start begins with a send_hop, so the fields of the latter serve both.
#define HOP(field) \
  { STORED(send_hop, field) }
#define START(field) \
  { STORED(send_start, ends.field) }
constexpr Field kHopFields[] = {
    HOP(kind),  HOP(ts_ns),  HOP(id),     {STORED(send_hop, sock), .pointer = true},
    HOP(lo),    HOP(hi),     HOP(result), HOP(flags),
    HOP(limit), HOP(reason), HOP(call),   HOP(cpu),
    HOP(tgid),  HOP(tid),    HOP(dev),    HOP(comm),
};
constexpr Field kStartFields[] = {
    HOP(kind),
    HOP(ts_ns),
    HOP(id),
    {STORED(send_hop, sock), .pointer = true},
    HOP(lo),
    HOP(hi),
    HOP(call),
    HOP(cpu),
    HOP(tgid),
    HOP(tid),
    HOP(comm),
    START(local_hi),
    START(local_lo),
    START(remote_hi),
    START(remote_lo),
    START(local_port),
    START(remote_port),
};
#undef HOP
#undef START

}  // namespace

const RecordType kSendHopRecord = record_type<send_hop>("send", kHopFields);
const RecordType kSendStartRecord = partial_record_type<send_start>("send_start", kStartFields);

const RecordType &record_of(const send_hop &hop) { return hop.kind == SEND_ENTER ? kSendStartRecord : kSendHopRecord; }

}  // namespace strata
