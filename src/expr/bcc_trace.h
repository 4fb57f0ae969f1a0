// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// bcc's trace as a program of the probe language: a line for each call that passes the condition.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "expr/bcc_line.h"

namespace strata::expr {

struct BccTrace {
  bool time = false, elapsed = false, unix_time = false, cpu = false;  // columns
  std::vector<BccOwner> owners = {};                                   // more of them
  bool kernel_stack = false, user_stack = false;
  bool aggregate = false;    // counts the lines that are alike, and prints them at the end
  uint64_t most = 0;         // of these; 0: all
  int64_t uid = -1;          // only this user's; -1: all
  std::string name;          // only threads whose name has this in it
  uint32_t string_size = 0;  // of text; 0: as long as it may be
  bool rows = false;         // for data too (bcc_line.h)
};

// `probes` are those of the command line; throws a usage Error.
std::string trace_program(std::span<const std::string> probes, const BccTrace &options);

}  // namespace strata::expr
