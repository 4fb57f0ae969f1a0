// The columns of a followed write, and a wire record as a hop in the field's words.
#pragma once

#include <string>
#include <string_view>

#include "follow/collector.h"
#include "follow/follow.h"
#include "kern/disk.h"
#include "model/sample.h"

namespace strata {

std::string_view layer_of(const follow_hop &hop);

// What a write can come to beside completed, failed and lost.
inline constexpr Outcome kNotWrittenBack{.key = "pending", .name = "not written back"};  // when the run ended
inline constexpr Outcome kEmpty{.key = "empty", .name = "empty", .is_good = true};       // a write of 0 bytes
inline constexpr Outcome kTruncated{.key = "truncated", .name = "truncated"};  // or unlinked, before writeback
extern const Procedure kWriteProcedure;

bool is_sync_fs(const follow_hop &hop);  // of sync or syncfs, not of one file
Hop hop_of(const follow_hop &record, Disks &disks);

extern const std::span<const Field *const> kSampleColumns, kHopColumns;
std::vector<NamedValue> sample_fields(const follow_start &start);
void set_range(Sample &sample, uint64_t lo, uint64_t hi);  // what was written, once it is known

// A status of HOP_COMPLETE or HOP_BIO_COMPLETE as an errno name, "" for success.
std::string status_name(const follow_hop &hop);

}  // namespace strata
