// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a probe of bcc's tools, of which the first says which: refused with a sentence at its place, or a
// program that ends where it should: what stands in it cannot leave its block.
#include <span>
#include <string>

#include "base/error.h"
#include "expr/bcc_argdist.h"
#include "expr/bcc_functions.h"
#include "expr/bcc_trace.h"
#include "fuzz.h"

namespace strata {
namespace {

std::string program_of(uint8_t tool, const std::string &text) {
  const std::span<const std::string> one(&text, 1);
  switch (tool % 5) {
    case 0:
      return expr::trace_program(one, {.kernel_stack = true});
    case 1:
      return expr::argdist_program({.counts = {text}}).text;
    case 2:
      return expr::argdist_program({.histograms = {text}}).text;
    case 3:
      return expr::funcslower_program(one, {.arguments = 6});
    default:
      return expr::funccount_program({"PATTERN", text}, true, {}, {});
  }
}

}  // namespace
}  // namespace strata

int fuzz_bcc(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  try {
    const std::string program = strata::program_of(data[0], {reinterpret_cast<const char *>(data + 1), size - 1});
    strata::require(program.ends_with("}\n"));
  } catch (const strata::Error &error) {
    strata::require(error.exit_status() == strata::kUsageStatus);
  }
  return 0;
}
