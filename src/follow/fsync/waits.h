// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a thread in fsync waited for at each moment, and whose it was. The time of the call is cut at its hops, and each
// piece belongs to one layer, so that the layers add up to the call.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "follow/collector.h"
#include "model/field.h"
#include "model/sample.h"

namespace strata {

// What a bio is to an fsync.
enum class Role : uint32_t {
  kOwn,      // its file's pages, by its own thread
  kOthers,   // its file's pages, by somebody else
  kOrdered,  // another file's pages, by a commit
  kJournal,  // the journal's, or metadata in its place
  kRecord,   // the same, behind a flush
  kFlush,    // a flush alone
};

struct Step {
  enum class Kind : uint8_t { kHop, kSleep, kRun, kQueue, kIssue, kDone, kCommit, kWait, kCommitted, kFlush, kFlushed };
  Kind kind = Kind::kHop;
  Role role = Role::kOwn;                  // of kQueue, kIssue, kDone, and hops of bios
  bool of_bio = false, by_caller = false;  // of a bio that the call's own thread queued
  uint64_t bytes = 0;                      // of kQueue and kDone
  std::string whose;  // of kQueue and kWait: the file of ordered data, else who queued it; empty: the call's thread
  Hop hop;
};

// Orders the steps of a call, gives each hop the layer that the time before it was spent in, and the sample those that
// have to do with it, with what it waited for as fields. `left_ns`: when the call returned, 0 if it did not.
void attribute_waits(std::vector<Step> &steps, Sample &sample, uint64_t left_ns);

extern const Procedure kFsyncProcedure;
extern const std::span<const Field *const> kWaitColumns;
inline constexpr Outcome kNotReturned{.key = "pending", .name = "not returned"};  // when the run ended

}  // namespace strata
