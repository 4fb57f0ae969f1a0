// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What bcc's tools of the probe language share: tables, options, and how the program that they become is run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/option.h"
#include "expr/bcc_functions.h"
#include "model/vocabulary.h"
#include "run/tool.h"
#include "subsys/script_run.h"

namespace strata {

class Object;
class Session;
class Values;

// With what all of them have; `common_options` are those beside tracing's.
constexpr Tool bcc_tool(Tool tool) {
  tool.subsystem = Subsystem::kPlaces;
  tool.common_options |= kTracing | kHasBuffer;
  tool.ring_bytes = kScriptRingBytes;
  tool.formats = kScriptFormats;
  return tool;
}

inline constexpr Option kExplainOption = {.name = "explain", .help = "print the program that it becomes, and end"};
inline constexpr std::string_view kAddedOwners[] = {"+unit", "+container", "+pod"};
inline constexpr Option kOwnersOption = {.name = "columns",
                                         .value = "+KEY,...",
                                         .kind = OptionKind::kTexts,
                                         .help = "also whose the process is: +unit, +container, +pod",
                                         .candidates = [] { return candidates_of(kAddedOwners); }};
inline constexpr Option kTimestampOption = {
    .name = "timestamp", .short_name = 'T', .help = "the time in a line before what is printed"};
inline constexpr Option kRegexpOption = {
    .name = "regexp", .short_name = 'r', .help = "PATTERN is a regular expression"};

inline constexpr Option kIncludeOption = {.name = "include",
                                          .short_name = 'I',
                                          .value = "HEADER",
                                          .kind = OptionKind::kTexts,
                                          .help = "taken: types are the kernel's own"};
constexpr Option string_size_option(Option option) {
  option.name = "string-size";
  option.value = "BYTES";
  option.kind = OptionKind::kNumber;
  option.help = "of text, at most";
  option.low = 1;
  option.high = 1023;
  return option;
}

// Columns of rows in JSON, which text shows in its own way.
constexpr Field row_column(std::string_view key, Type type, std::string_view help, Unit unit = Unit::kNone) {
  const Word *word = word_of(key);
  return {.decode = {.type = type}, .key = key, .unit = word != nullptr ? word->unit : unit, .help = help};
}
inline constexpr Field kRowTime = row_column("time_ns", Type::kInteger, "when the line was made"),
                       kRowPid = row_column("tgid", Type::kInteger, "the process"),
                       kRowTid = row_column("tid", Type::kInteger, "the thread"),
                       kRowComm = row_column("comm", Type::kText, "its name"),
                       kRowStack = row_column("stack", Type::kAny, "with -K, -U: the functions that led there");

// What --columns adds; throws a usage Error.
struct AddedOwners {
  std::vector<Field> rows;                   // in JSON: the tool's own keys, and these behind them
  std::vector<expr::BccOwner> columns = {};  // of a line
};
AddedOwners added_owners(const Values &values, std::span<const Field> rows);

// -i, -n and -T.
expr::BccOutput bcc_output(const Values &values);
// What of a program's output is shown, and how.
struct BccShown {
  std::string lines_with = {};       // of printf(): only those that have this in them
  uint64_t most_lines = 0;           // the last of them ends the run; 0: all
  std::span<const Field> rows = {};  // as ScriptRun has it
  ScriptOrder order = {};            // of maps
  std::vector<ScriptHistogram> histograms = {};
  bool cumulative = false;
  EndReason by_exit = EndReason::kCount;  // as ScriptRun has it
};
// --explain, or run_script().
int run_bcc_program(std::string program, BccShown shown, Session &session, Object &object);

}  // namespace strata
