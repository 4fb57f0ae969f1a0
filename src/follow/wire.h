// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The records of every followed run, as a recording has them: how samples were taken, first, and how many, last. In
// between come the procedure's own.
#pragma once

#include <cstdint>
#include <string>

#include "rec/record_line.h"

namespace strata {

struct follow_attach_mode {
  uint64_t until_writeback;  // of write: a hook reports the end of writeback, so buffered samples end there
  char text[240];
};
struct follow_sampled {
  uint64_t sampled;
  uint64_t submits;  // of aio and io_uring, whose writes tracepoints do not show
};

extern const RecordType kAttachModeRecord, kSampledRecord;

follow_attach_mode attach_mode_of(const std::string &text, bool until_writeback);

}  // namespace strata
