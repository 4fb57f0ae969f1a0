// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/recv/wire.h"

#include "follow/send/wire.h"

namespace strata {
namespace {

// Both begin with a send_hop, so its fields serve them.
#define HOP(field) \
  { STORED(send_hop, field) }
#define START(field) \
  { STORED(send_start, ends.field) }
#define RECV(field) \
  { STORED(recv_hop, field) }
constexpr Field kHopFields[] = {
    HOP(kind),     HOP(ts_ns),   HOP(id),    {STORED(send_hop, sock), .pointer = true},
    HOP(lo),       HOP(hi),      RECV(next), HOP(flags),
    RECV(wake_ns), RECV(run_ns), HOP(cpu),   HOP(tgid),
    HOP(tid),      HOP(comm),
};
constexpr Field kStartFields[] = {
    HOP(kind),         HOP(ts_ns),
    HOP(id),           {STORED(send_hop, sock), .pointer = true},
    HOP(lo),           HOP(hi),
    HOP(flags),        HOP(cpu),
    HOP(tgid),         HOP(tid),
    HOP(dev),          HOP(comm),
    START(local_hi),   START(local_lo),
    START(remote_hi),  START(remote_lo),
    START(local_port), START(remote_port),
};
#undef HOP
#undef START
#undef RECV

}  // namespace

const RecordType kRecvHopRecord = partial_record_type<recv_hop>("recv", kHopFields);
const RecordType kRecvStartRecord = partial_record_type<send_start>("recv_start", kStartFields);

const RecordType &recv_record_of(const send_hop &hop) {
  if (hop.kind == RECV_ARRIVE) return kRecvStartRecord;
  return hop.kind == RECV_TCP || hop.kind == RECV_READ ? kRecvHopRecord : kSendHopRecord;
}

}  // namespace strata
