// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Source lines, and the functions that a compiler put into others, by a file's DWARF, which libdw reads.
//
// Such a file may be anybody's, so a process apart reads it (confined.h). Rejected: libdwfl (0.5 MB more, and it looks
// for files by itself, on the network, too).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"

namespace strata {

class SourceLines {
 public:
  // Files of the same code: its own, and that of its debug symbols if there is one. Open as long as this lives.
  SourceLines(int file, int debug_file) : file_(file), debug_file_(debug_file) {}
  ~SourceLines() { stop(); }
  SourceLines(const SourceLines &) = delete;
  SourceLines &operator=(const SourceLines &) = delete;

  struct Frame {
    std::string function;  // as it is in the file; empty: that of the symbol, which the others were inlined into
    std::string line;      // "stacks.c:47"; empty: unknown
  };
  // The innermost first, the function of the symbol last. None: nothing is known. Of an address as the file says it.
  std::vector<Frame> at(uint64_t address);

 private:
  void start();
  void stop();

  int file_, debug_file_;
  Fd reader_;
  pid_t pid_ = 0;  // 0: was not started; -1: it is gone, or cannot be
};

}  // namespace strata
