// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the operands mean on this host: each place that the programs are attached to, with the number by which they name
// it.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/file_id.h"
#include "bpf/probe_name.h"
#include "subsys/user_functions.h"

namespace strata {

class Object;
class Session;

class Probes {
 public:
  // Before the object is loaded, which is told what to attach to. Throws Error: there is no such place, or this host
  // permits no programs there. As long as the run lasts.
  Probes(Session &session, Object &object, std::span<const std::string> operands);

 private:
  void add(ProbeName probe);
  void add_tracepoints(const ProbeName &probe);
  void add_kernel_functions(const ProbeName &probe);
  void add_user_functions(const ProbeName &probe);
  void check_number() const;
  void set_targets();
  void name_places();
  void check_hooks();
  void say_left_out() const;
  void attach_user_functions() const;

  Session &session_;
  Object &object_;
  std::vector<ProbeName> tracepoints_, kernel_functions_;
  std::vector<UserFunctions> user_functions_;
  std::set<std::string> known_tracepoints_, known_functions_;
  std::set<std::pair<FileId, uint64_t>> known_;  // places in files: one may have several names
};

}  // namespace strata
