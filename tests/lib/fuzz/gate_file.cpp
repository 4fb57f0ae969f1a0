// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a file of gates, which a pull request may bring along: it is refused with its name and a sentence that a
// terminal can show, or it has gates.
#include "gate/gate_file.h"

#include "fuzz.h"

namespace strata {
namespace {

void check(std::string_view text) {
  try {
    const GateFile file = parse_gate_file("g.toml", text);
    require(!file.gates.empty());
    for (const Gate &gate : file.gates) require(!gate.text().empty() && gate.least_values() > 0);
  } catch (const Error &error) {
    require_refused(error, "g.toml");
  }
}

}  // namespace
}  // namespace strata

int fuzz_gate_file(const uint8_t *data, size_t size) {
  strata::check(std::string_view(reinterpret_cast<const char *>(data), size));
  return 0;
}
