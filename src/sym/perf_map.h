// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names of the code that a process's JIT compiler made, as it writes them for profilers into /tmp/perf-PID.map, a line
// each: "START SIZE NAME". The file is the process's, so nothing in it is believed but for its own names: it must
// belong to the process's user, is looked for in the process's root by its own number there, and is bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/lines.h"

namespace strata {

class PerfMap {
 public:
  explicit PerfMap(uint32_t tgid);  // while it runs; its file may come later, and be read when it has ended
  PerfMap(Fd root, Lines &status);  // what /proc/TGID/root and /proc/TGID/status are

  // "" if there is none. What the file has become is read once in a while.
  std::string name(uint64_t address);

 private:
  static constexpr size_t kMostBytes = 16 << 20, kMostFunctions = 1 << 18, kMostName = 200;
  struct Function {
    uint64_t to;
    std::string name;
  };
  void read_more();
  void add_line(std::string_view line);

  Fd root_, file_;
  std::string path_;
  uint32_t owner_ = UINT32_MAX;
  size_t read_ = 0;  // bytes, up to the end of a line
  int64_t next_read_ns_ = 0;
  std::map<uint64_t, Function> functions_;  // by where they begin, apart from each other
};

}  // namespace strata
