#include "follow/wire.h"

#include <type_traits>

namespace strata {
namespace {

// follow_start begins with a follow_hop, so the fields of the latter serve both.
#define HOP(field) WIRE_NUMBER(follow_hop, field)
constexpr WireField kHopFields[] = {
    HOP(kind),   HOP(ts_ns),  HOP(id),   HOP(parent), HOP(mapping),
    HOP(lo),     HOP(hi),     HOP(dev),  HOP(sector), HOP(sectors),
    HOP(object), HOP(result), HOP(opf),  HOP(flags),  HOP(cause),
    HOP(call),   HOP(cpu),    HOP(tgid), HOP(tid),    WIRE_TEXT(follow_hop, comm),
};
#define START(field) WIRE_NUMBER(follow_start, field)
constexpr WireField kStartFields[] = {
    HOP(kind),    HOP(ts_ns),        HOP(id),       HOP(mapping),
    HOP(lo),      HOP(hi),           HOP(flags),    HOP(call),
    HOP(cpu),     HOP(tgid),         HOP(tid),      WIRE_TEXT(follow_hop, comm),
    START(inode), START(generation), START(fs_dev), WIRE_PATH(follow_start, path),
};
constexpr WireField kWayFields[] = {
    WIRE_NUMBER(follow_way, until_writeback),
    WIRE_TEXT(follow_way, text),
};
constexpr WireField kSampledFields[] = {WIRE_NUMBER(follow_sampled, sampled)};
#undef HOP
#undef START

}  // namespace

const Wire kHopWire = {"hop", sizeof(follow_hop), kHopFields};
const Wire kStartWire = {"start", sizeof(follow_start), kStartFields};
const Wire kWayWire = {"way", sizeof(follow_way), kWayFields};
const Wire kSampledWire = {"sampled", sizeof(follow_sampled), kSampledFields};

namespace {
constexpr const Wire *kWires[] = {&kHopWire, &kStartWire, &kWayWire, &kDiskWire, &kSampledWire};
}
const std::span<const Wire *const> kFollowWires = kWires;

const Wire &wire_of(const follow_hop &hop) { return hop.kind == HOP_ENTER ? kStartWire : kHopWire; }

}  // namespace strata
