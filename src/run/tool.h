// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a tool is to the library: its tables and one function. tools/NAME/NAME.cpp defines `const Tool tool_NAME`; the
// Makefile makes the table of tools from the names of the folders.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bpf/variant.h"
#include "cli/option.h"
#include "model/field.h"
#include "model/printed.h"
#include "run/event_stacks.h"
#include "run/view.h"

namespace strata {

class Object;
class Recording;
class Session;
class Values;

// Another name of a tool, which gives an option: ext4slower is fsslower --type=ext4.
struct Link {
  std::string_view name;
  std::string_view argument;
  std::span<const Operand> operands = {};  // unless the tool's
};

// The part of the host that a tool looks at: `strata` lists the tools by it, in this order.
enum class Subsystem : uint8_t { kProcesses, kCpus, kFiles, kDisks, kNetwork, kPlaces, kStrata };

// Of several that one tool follows ("write", "send"): its columns are all that there may be. One may be named with an
// option besides ("send --udp"): followed_of() takes the first whose operand and option are given, so that it stands
// before the one without. The name alone then says which chain that is (chain_named() of run/follow.h).
struct Followed {
  std::string_view name;
  std::span<const Field *const> sample, hop;       // of its samples, and of their hops
  std::span<const Field *const> sample_more = {};  // and the rest of a sample's
  Programs programs = {};                          // unless it is followed in recordings
};

struct Tool {
  std::string_view name;
  Subsystem subsystem = Subsystem::kStrata;
  std::string_view summary;  // one line of the list of tools, 62 cells at most; lower case, no full stop
  std::string_view manual;   // kManual of X.manual.h, which the build makes of tools/X/X.md (src/cli/page.h)
  std::span<const Operand> operands = {};  // of a tool with -i INTERVAL and COUNT, if there are no others
  std::span<const Option> options = {};
  uint32_t common_options = kTracing;  // and those of its views
  std::string_view interval = {};      // of -i, if it is not given
  uint64_t ring_bytes = 512 << 10;     // for each processor, without --buffer
  std::span<const Link> links = {};
  std::span<const View> views = {};                // the first one is the default
  std::span<const std::string_view> formats = {};  // of a tool without views; the first is the default
  std::span<const Field> fields = {};              // of its rows
  std::span<const Followed> followed = {};         // of a tool that shows samples
  // Of one that prints its own text: the lines of JSON besides, and the columns of its rows there.
  std::span<const PrintedType *const> printed = {};
  std::span<const Field> json_rows = {};
  std::span<const std::span<const Field>> json_histograms =
      {};                // each: of the values, then of what tells several apart
  bool judges = false;   // its lines are verdicts on gates
  bool replays = false;  // and those of the tool that recorded; of one with `followed` only its events
  Programs programs = {};
  EventStacks stacks = {};  // of its events, with --stack
  // With its programs open, not yet loaded. The exit status.
  int (*trace)(const Values &values, Session &session, Object &object) = nullptr;
  int (*run)(const Values &values,
             Session &session) = nullptr;  // instead, of a tool without, or that opens them itself
  int (*replay)(Recording &recording, Session &session) = nullptr;  // unless its views do that alone
};

// Of all its views.
uint32_t common_options_of(const Tool &tool);
std::vector<std::string_view> formats_of(const Tool &tool);
std::vector<Field> columns_of(const Tool &tool);
std::vector<Field> columns_of(const Followed &followed);  // of its samples
// What the operand of these values names, with its option; else the first. nullptr: the tool follows nothing.
const Followed *followed_of(const Tool &tool, const Values *values);
std::vector<Programs> all_programs_of(const Tool &tool);  // each that it may load; without those for stacks
// In a session of it: with its programs open, if it has some. The exit status.
int run_tool(const Tool &tool, const Values &values, Session &session);
Syntax syntax_of(const Tool &tool, std::string_view program, const Link *link = nullptr);

}  // namespace strata
