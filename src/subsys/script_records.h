// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program of the probe language sends to user space, and what is done about it: printed, in the order in which
// it was sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "expr/plan.h"

namespace strata {

struct Printed;
class Script;
class Session;
struct ScriptRun;

class ScriptRecords {
 public:
  ScriptRecords(Session &session, Script &script, const ScriptRun &run)
      : session_(session), script_(script), run_(run) {}

  void on_record(const void *record, size_t size);
  void go_on();                                         // with what `end` probes send
  void show_maps();                                     // all that have something, but those that `end` has cleared
  void notify();                                        // bpftrace's word for its callers: all probes are attached
  [[nodiscard]] int status() const { return status_; }  // of exit()

 private:
  void put(const Printed &printed);
  void show(std::string_view type, std::string text);
  void print_line(std::string text);
  void act(const expr::Action &action, const std::byte *values);

  Session &session_;
  Script &script_;
  const ScriptRun &run_;
  int status_ = 0;
  bool ended_ = false;
  bool at_end_ = false;
  bool within_line_ = false;           // of what was printed last
  std::set<uint32_t> cleared_at_end_;  // maps: some places are traced for a while yet, and would fill them again
  uint64_t lines_ = 0;                 // of printf()
};

}  // namespace strata
