// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The stacks of events: a tool has them by one line of its declaration,
//
//   .stacks = event_stacks(opensnoop_stacks_bpf__elf_bytes),     (subsys/stacks.h, which has it for single parts, too)
//
// which names its programs once more, compiled with what walks stacks (bpf/lib/user/event_stack.h). With --stack they
// are loaded instead of the others, the key of its stack comes before each record, and each row ends with a column
// `stack`. In a recording it is a record of its own, before that of the event: records of a tool are the same with
// stacks and without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "model/record.h"
#include "run/kernel_symbolizer.h"

namespace strata {

class Object;
class Session;

// Who reads them in a run.
struct StackReader {
  std::function<void()> start = {};  // when the object is loaded, before it is attached
  StackFrames frames = {};
};

struct EventStacks {
  const void *(*elf)(size_t *size) = nullptr;
  StackReader (*reader)(Session &session, Object &object) = nullptr;  // before the object is loaded
  std::span<const std::string_view> losses = {};                      // from LOSS_EVENT_STACK on
  bool both_parts = false;  // the user's and the kernel's, each to be left out
  bool user_part = false;   // whose source lines may be asked for
};

// The options that ask for them.
inline constexpr std::string_view kStackWanted = "stack|user-stacks|kernel-stacks|lines";

// Of each row.
extern const Field kEventStack;

struct event_stack {
  uint64_t stack;
};
extern const RecordType kEventStackRecord;

}  // namespace strata
