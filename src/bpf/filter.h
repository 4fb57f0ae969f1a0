// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which tasks a tool looks at: sets the constants and maps of bpf/lib/core/filter.h. What is asked for is checked at
// once, so that a wrong process or cgroup is an error before anything is loaded.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"

namespace strata {

class Object;

// All that is given must hold; within -p, -t, -c any one of the several.
struct FilterRequest {
  std::vector<uint32_t> tgids;        // -p
  std::string hint;                   // what to end the sentence with that refuses one of them
  bool tree = false;                  // --tree: and what they start from now on; never with a command
  std::vector<uint32_t> descendants;  // which they have already
  std::vector<uint32_t> tids;         // -t
  std::vector<std::string> comms;     // -c: whole names, at most 15 bytes
  std::string cgroup;                 // --cgroup: a directory of cgroup v2, and what is below it
  bool by_groups = false;             // --unit, --container, --pod
  std::vector<uint64_t> groups;       // of which these are the cgroups, with all below them
  pid_t command = 0;                  // -- COMMAND: it and its descendants

  [[nodiscard]] bool any() const {
    return !tgids.empty() || !tids.empty() || !comms.empty() || !cgroup.empty() || by_groups || command != 0;
  }
};

// That strata runs in, as the kernel's helper wants it; zeros: the first one, where numbers need no translation.
struct PidNamespace {
  uint64_t dev = 0, ino = 0;  // dev in the kernel's own form
};
PidNamespace own_pid_namespace();

class Filter {
 public:
  static constexpr size_t kCommBytes = 15;
  static constexpr uint32_t kGroupEntries = 65536;
  static constexpr uint32_t kTreeEntries = 32768;  // live descendants; more are a counted loss

  explicit Filter(FilterRequest request);  // throws Error: "no such process: 12345", ...

  void prepare(Object &object) const;  // before load()
  void fill(Object &object) const;     // between load() and attach()
  // Of --tree: these were there, too. False: all of them were known.
  static bool add_to_tree(const Object &object, std::span<const uint32_t> tgids);
  static void add_groups(const Object &object, std::span<const uint64_t> groups);  // also ones that are there
  // Of --tree or a command: does one of the tree, but for the command itself, still run?
  static bool tree_runs(const Object &object);

 private:
  FilterRequest request_;
  Fd cgroup_;
};

}  // namespace strata
