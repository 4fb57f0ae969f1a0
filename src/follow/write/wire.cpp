// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/write/wire.h"

#include <type_traits>

namespace strata {
namespace {

// follow_start begins with a follow_hop, so the fields of the latter serve both.
#define HOP(field) \
  { STORED(follow_hop, field) }
// A file's page cache; a bio, request or folio.
#define POINTER(field) \
  { STORED(follow_hop, field), .pointer = true }
constexpr Field kHopFields[] = {
    HOP(kind),       HOP(ts_ns),  HOP(id),   HOP(parent), POINTER(mapping),
    HOP(lo),         HOP(hi),     HOP(dev),  HOP(sector), HOP(sectors),
    POINTER(object), HOP(result), HOP(opf),  HOP(flags),  HOP(cause),
    HOP(call),       HOP(cpu),    HOP(tgid), HOP(tid),    {STORED(follow_hop, comm)},
};
#define START(field) \
  { STORED(follow_start, field) }
constexpr Field kStartFields[] = {
    HOP(kind),
    HOP(ts_ns),
    HOP(id),
    POINTER(mapping),
    HOP(lo),
    HOP(hi),
    HOP(dev),
    HOP(flags),
    HOP(call),
    HOP(cpu),
    HOP(tgid),
    HOP(tid),
    {STORED(follow_hop, comm)},
    START(inode),
    START(generation),
    START(fs_dev),
    {STORED_AS("path_bytes", follow_start, path.bytes)},
    {STORED_AS("path_whole", follow_start, path.whole)},
    {STORED_AS("path", follow_start, path.names)},
};
#undef HOP
#undef POINTER
#undef START

}  // namespace

const RecordType kHopRecord = record_type<follow_hop>("hop", kHopFields);
const RecordType kStartRecord = partial_record_type<follow_start>("start", kStartFields);

const RecordType &record_of(const follow_hop &hop) {
  return hop.kind == HOP_ENTER || hop.kind == HOP_FILE ? kStartRecord : kHopRecord;
}

}  // namespace strata
