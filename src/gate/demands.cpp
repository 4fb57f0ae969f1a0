// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/demands.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "gate/gates.h"

namespace strata {
namespace {

// What one file says into what all of them say; nothing is Said().
template <typename Said>
void take(Said &all, Said one, const Values &values, const char *option, const std::string &file) {
  if (one == Said() || values.given(option)) return;
  if (all != Said() && all != one)
    throw usage_error(printable(file) + " and a file before it say another " + option + ": give --" + option);
  all = std::move(one);
}

}  // namespace

Demands demands_of(const Values &values) {
  Demands demands;
  std::optional<uint64_t> repeat;
  for (const std::string &name : values.texts("file")) {
    GateFile file = read_gate_file(name);
    take(repeat, file.repeat, values, "repeat", name);
    take(demands.baseline, std::move(file.baseline), values, "baseline", name);
    std::ranges::move(file.gates, std::back_inserter(demands.gates));
  }
  std::ranges::move(gates_of(values), std::back_inserter(demands.gates));
  demands.repeat = repeat.value_or(values.number("repeat"));
  if (values.given("baseline")) demands.baseline = values.text("baseline");
  if (values.given("least"))
    for (Gate &gate : demands.gates) gate.set_least(values.number("least"));
  return demands;
}

}  // namespace strata
