// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The columns of a followed write or read, and a wire record as a hop in the field's words.
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
inline constexpr Outcome kNotReadYet{.key = "pending", .name = "not read"};    // when the run ended
extern const Procedure kWriteProcedure, kReadProcedure;

bool is_sync_fs(const follow_hop &hop);  // of sync or syncfs, not of one file
Hop hop_of(const follow_hop &record, Disks &disks);

extern const std::span<const Field *const> kSampleColumns, kHopColumns;
std::vector<NamedValue> sample_fields(const follow_start &start);
// The same of a call without bytes of its own: fsync.
extern const std::span<const Field *const> kSyncColumns;
std::vector<NamedValue> sync_fields(const follow_start &start);
void name_file(Hop &hop, const std::string &path);         // of another file than the sample's
void set_range(Sample &sample, uint64_t lo, uint64_t hi);  // what was written, once it is known

// Layers that other procedures have, too.
inline constexpr std::string_view kSyscall = "syscall", kCache = "page cache", kBlock = "block", kDevice = "device",
                                  kWakeUp = "wake-up", kJournal = "journal";

// Hops of a read that are not in the layer where their kind is: of somebody else's bio, of a wait for what is at
// `stage` (a follow_kind; HOP_RUN: not known), and of a bio that was queued before the read began, at `now_ns`.
void wait_for_other(Hop &hop);
void wait_in(Hop &hop, uint32_t stage);
void found_under_way(Hop &hop, std::string_view name, uint64_t now_ns);

// A status of HOP_COMPLETE or HOP_BIO_COMPLETE as an errno name, "" for success.
std::string status_name(const follow_hop &hop);

}  // namespace strata
