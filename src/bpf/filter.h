// Which tasks a tool looks at: sets the constants and maps of bpf/lib/core/filter.h. What is asked for is checked at
// once, so that a wrong process or cgroup is an error before anything is loaded.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace strata {

class Object;

// All that is given must hold; within -p, -t any one of the several.
struct FilterRequest {
  std::vector<uint32_t> tgids;      // -p
  std::vector<uint32_t> tids;       // -t
  std::optional<std::string> comm;  // -c: the whole name, at most 15 bytes
  std::string cgroup;               // --cgroup: a directory of cgroup v2, and what is below it
  pid_t command = 0;                // -- COMMAND: it and its descendants
};

class Filter {
 public:
  static constexpr size_t kCommBytes = 15;
  static constexpr uint32_t kTreeEntries = 32768;  // live descendants of the command; more are a counted loss

  explicit Filter(FilterRequest request);  // throws Error: "no such process: 12345", ...

  void prepare(Object &object) const;  // before load()
  void fill(Object &object) const;     // between load() and attach()

 private:
  FilterRequest request_;
  Fd cgroup_;
};

}  // namespace strata
