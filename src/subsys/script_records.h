// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program of the probe language sends to user space, and what is done about it: printed, in the order in which
// it was sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "expr/plan.h"
#include "model/printed.h"
#include "subsys/script_histograms.h"

namespace strata {

class Script;
class Session;
struct ScriptRun;

class ScriptRecords {
 public:
  ScriptRecords(Session &session, Script &script, const ScriptRun &run);

  void on_record(const void *record, size_t size);
  void attached();                               // what comes now is of events
  [[nodiscard]] bool shows_nothing_yet() const;  // the program waits for the end of the run to show something
  // "12 keys": by now, in maps; empty if none has a key.
  [[nodiscard]] std::function<std::string()> counting() const;
  void go_on();                                         // with what `end` probes send
  void show_maps();                                     // all that have something, but those that `end` has cleared
  void show_attached(size_t places, bool notify);       // bpftrace's word for its callers: all probes are attached
  [[nodiscard]] int status() const { return status_; }  // of exit()

 private:
  void put(const Printed &printed);
  void show(const PrintedType &type, std::string text);
  void show_line(const Printed &printed);
  void print_line(const expr::Action &action, const std::byte *values);
  [[nodiscard]] Datum::Object row_of(const expr::Action &action, const std::byte *values) const;
  void put_histogram(uint32_t map);
  void put_map(uint32_t map, Printed printed);
  void act(const expr::Action &action, const std::byte *values);

  Session &session_;
  Script &script_;
  const ScriptRun &run_;
  ScriptHistograms histograms_;
  bool attached_ = false;
  bool seen_map_ = false;          // that has something
  bool behind_histogram_ = false;  // which ends without an empty line
  int status_ = 0;
  bool ended_ = false, at_limit_ = false;
  bool at_end_ = false;
  bool within_line_ = false;           // of what was printed last
  std::set<uint32_t> cleared_at_end_;  // maps: some places are traced for a while yet, and would fill them again
  uint64_t lines_ = 0;                 // of events
};

}  // namespace strata
