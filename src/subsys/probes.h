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

#include "base/fd.h"
#include "base/file_id.h"
#include "bpf/probe_name.h"

namespace strata {

struct UsdtProbes;

class Object;
class Session;

class Probes {
 public:
  // Before the object is loaded, which is told what to attach to. Throws Error: there is no such place, or this host
  // permits no programs there. As long as the run lasts.
  // `regular`: their names are regular expressions, those of expr/bcc_probe.h.
  Probes(Session &session, Object &object, std::span<const std::string> operands, bool regular);

 private:
  void add(ProbeName probe);
  void add_tracepoints(const ProbeName &probe);
  void add_kernel_functions(const ProbeName &probe);
  void add_user_functions(const ProbeName &probe);
  void add_static_probes(std::vector<UsdtProbes> found);
  void check_number() const;
  void set_targets();
  void name_places();
  void check_hooks();
  void say_left_out() const;
  void attach_user_places() const;

  struct UserPlace {
    std::string name;
    uint64_t offset = 0, semaphore = 0;
  };
  struct UserPlaces {
    Fd file;
    std::string path;
    std::vector<UserPlace> places;  // each once
  };
  void add_user_places(Fd file, const std::string &path, std::vector<UserPlace> places);

  Session &session_;
  Object &object_;
  std::vector<ProbeName> tracepoints_, kernel_functions_;
  std::vector<UserPlaces> user_places_;
  std::set<std::string> known_tracepoints_, known_functions_;
  std::set<std::pair<FileId, uint64_t>> known_;  // places in files: one may have several names
};

}  // namespace strata
