// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Why a run ended, in the words of the last line of JSON.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace strata {

enum class EndReason {
  kDone,
  kInterrupted,
  kTerminated,
  kHungUp,
  kDuration,
  kCount,
  kLimit,
  kExit,
  kCommandExited,
  kProcessesExited,
  kOutputClosed,
  kOutOfMemory,
  kError,
  kEndOfRecording,
  kRecordingCutShort,
};

// In the order of EndReason.
inline constexpr std::string_view kEndReasons[] = {
    "done",          "interrupted",   "terminated", "hung up",          "duration",
    "count",         "limit",         "exit",       "command exited",   "processes exited",
    "output closed", "out of memory", "error",      "end of recording", "recording cut short",
};

static_assert(std::size(kEndReasons) == static_cast<size_t>(EndReason::kRecordingCutShort) + 1);

constexpr std::string_view name_of(EndReason reason) { return kEndReasons[static_cast<size_t>(reason)]; }

}  // namespace strata
