// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/wire.h"

namespace strata {
namespace {

// query_start begins with a query_hop, so the fields of the latter serve both.
#define HOP(field) \
  { STORED(query_hop, field) }
#define START(field) \
  { STORED(query_start, field) }
constexpr Field kHopFields[] = {
    HOP(kind),       HOP(ts_ns),     HOP(id),         {STORED(query_hop, sock), .pointer = true},
    HOP(out_ns),     HOP(wake_ns),   HOP(arrivals),   HOP(result),
    HOP(lo),         HOP(hi),        HOP(flags),      HOP(cpu),
    HOP(tgid),       HOP(tid),       HOP(call),       HOP(other_call),
    HOP(other_tgid), HOP(other_tid), HOP(min_rtt_us), HOP(comm),
    HOP(other_comm),
};
constexpr Field kStartFields[] = {
    HOP(kind),
    HOP(ts_ns),
    HOP(id),
    {STORED(query_hop, sock), .pointer = true},
    HOP(lo),
    HOP(hi),
    HOP(flags),
    HOP(cpu),
    HOP(tgid),
    HOP(tid),
    HOP(comm),
    START(ends.local_hi),
    START(ends.local_lo),
    START(ends.remote_hi),
    START(ends.remote_lo),
    START(ends.local_port),
    START(ends.remote_port),
    START(answer),
    START(path),
};
constexpr Field kLabelFields[] = {{STORED(query_label, id)}, {STORED(query_label, text)}};
#undef HOP
#undef START

}  // namespace

const RecordType kQueryHopRecord = partial_record_type<query_hop>("query", kHopFields);
const RecordType kQueryStartRecord = partial_record_type<query_start>("query_start", kStartFields);
const RecordType kQueryLabelRecord = about(About::kNext, record_type<query_label>("query_label", kLabelFields));

const RecordType &record_of(const query_hop &hop) { return begins_sample(hop) ? kQueryStartRecord : kQueryHopRecord; }

}  // namespace strata
