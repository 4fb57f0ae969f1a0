// What the operands mean on this host: each place that the programs are attached to, with the number by which they name
// it.
#pragma once

#include <span>
#include <string>
#include <vector>

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
  void set_targets();
  void name_places();
  void check_hooks();
  void attach_user_functions() const;

  Session &session_;
  Object &object_;
  std::vector<ProbeName> tracepoints_, kernel_functions_;
  std::vector<UserFunctions> user_functions_;
};

}  // namespace strata
