// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Runs a program of the probe language from its compilation to its last line, for each tool that makes one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/end_reason.h"
#include "expr/source.h"
#include "model/field.h"
#include "model/printed.h"
#include "subsys/script_histograms.h"
#include "subsys/script_order.h"

namespace strata {

class Object;
class Session;

struct ScriptRun {
  expr::Source source;
  std::vector<std::string> arguments;        // $1, $2, ...
  std::vector<std::string> parameters = {};  // --name=value, for getopt()
  bool unsafe = false;                       // system() and signal()
  bool has_unsafe = false;                   // there is an option --unsafe
  bool quiet = false;                        // do not say what is left out, nor what warnf() does
  bool like_bpftrace = false;                // its JSON, with the line that says to how many places it is attached
  bool dry = false;                          // load it, and do not run it
  bool listing = false;                      // show its instructions
  std::string lines_with = {};               // of printf(): only those that have this in them
  uint64_t most_lines = 0;           // that are printed, but for those of `begin`; the last ends the run; 0: all
  std::span<const Field> rows = {};  // columns of the rows that printf() makes of its values (expr/bcc_line.h)
  bool begins_with_head = false;     // what `begin` prints is no event
  ScriptOrder order = {};            // of maps
  std::vector<ScriptHistogram> histograms = {};
  bool cumulative = false;               // they go on at each interval
  EndReason by_exit = EndReason::kExit;  // what exit() means
};

inline constexpr std::string_view kScriptFormats[] = {"text", "json"};
// Of a tool whose programs may have stacks in the keys of their maps.
inline constexpr std::string_view kStackScriptFormats[] = {"text", "json", "folded", "flame", "pprof"};
inline constexpr uint64_t kScriptRingBytes = 512 << 10;
inline constexpr PrintedType kPinnedLine = {"pinned", PrintedData::kText, "the file that an iterator is now"};
// All that a program may print.
inline constexpr const PrintedType *kScriptLines[] = {&kPrintfLine, &kValueLine,  &kMapLine,   &kHistLine,
                                                      &kSeriesLine, &kStatsLine,  &kTimeLine,  &kCatLine,
                                                      &kJoinLine,   &kNotifyLine, &kPinnedLine};

// `object` is that of bpf/run, not loaded yet. Returns the tool's exit status; throws Error, of the program or the
// host.
int run_script(const ScriptRun &run, Session &session, Object &object);

}  // namespace strata
