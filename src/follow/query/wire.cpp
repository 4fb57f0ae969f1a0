// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/wire.h"

namespace strata {
namespace {

// All begin with a query_hop, so the fields of the latter serve each.
#define HOP(field) \
  { STORED(query_hop, field) }
#define START(field) \
  { STORED(query_start, field) }
#define UPSTREAM(field) \
  { STORED(query_upstream, field) }
#define BLOCK(field) \
  { STORED(query_block, field) }
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
constexpr Field kUpstreamFields[] = {
    HOP(kind),
    HOP(ts_ns),
    {STORED(query_hop, sock), .pointer = true},
    HOP(wake_ns),
    HOP(flags),
    HOP(cpu),
    HOP(tgid),
    HOP(tid),
    HOP(comm),
    UPSTREAM(ends.local_hi),
    UPSTREAM(ends.local_lo),
    UPSTREAM(ends.remote_hi),
    UPSTREAM(ends.remote_lo),
    UPSTREAM(ends.local_port),
    UPSTREAM(ends.remote_port),
};
constexpr Field kBlockFields[] = {
    HOP(kind),      HOP(ts_ns),      HOP(out_ns),   HOP(wake_ns), HOP(cpu),     HOP(tid),   HOP(other_tgid),
    HOP(other_tid), HOP(other_comm), BLOCK(sector), BLOCK(dev),   BLOCK(bytes), BLOCK(opf),
};
constexpr Field kLabelFields[] = {
    {STORED(query_label, id)}, {STORED(query_label, text)}, {STORED(query_label, traceparent)}};
#undef HOP
#undef START
#undef UPSTREAM
#undef BLOCK

}  // namespace

const RecordType kQueryHopRecord = partial_record_type<query_hop>("query", kHopFields);
const RecordType kQueryStartRecord = partial_record_type<query_start>("query_start", kStartFields);
const RecordType kQueryUpstreamRecord = partial_record_type<query_upstream>("query_upstream", kUpstreamFields);
const RecordType kQueryBlockRecord = partial_record_type<query_block>("query_block", kBlockFields);
const RecordType kQueryLabelRecord = about(About::kNext, record_type<query_label>("query_label", kLabelFields));

const RecordType &record_of(const query_hop &hop) {
  if (asks_upstream(hop)) return kQueryUpstreamRecord;
  if (hop.kind == QUERY_BLOCK) return kQueryBlockRecord;
  return begins_sample(hop) ? kQueryStartRecord : kQueryHopRecord;
}

}  // namespace strata
