// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// bcc's argdist as a program of the probe language: how often values of arguments and results come, or how they are
// distributed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/bcc_functions.h"

namespace strata::expr {

struct BccArgdist {
  std::vector<std::string> histograms, counts;  // "p:c:write(int fd, void *buf, size_t len):size_t:len:fd==1#label"
  uint32_t string_size = 0;                     // of text; 0: as long as it may be
  BccOutput output;
};

std::string argdist_program(const BccArgdist &options);  // throws a usage Error

}  // namespace strata::expr
