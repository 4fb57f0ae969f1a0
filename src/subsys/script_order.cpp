// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_order.h"

#include "cli/values.h"
#include "model/column_choice.h"

namespace strata {
namespace {

// As in ScriptOrder::By, from its second word on.
constexpr Field kColumns[] = {{.key = "key"}, {.key = "value"}, {.key = "count"}, {.key = "avg"}, {.key = "sum"}};

}  // namespace

ScriptOrder script_order(const Values &values) {
  ScriptOrder order;
  if (values.given("rows")) order.rows = values.number("rows");
  if (values.given("sort"))
    order.by = static_cast<ScriptOrder::By>(column_named(kColumns, "sort", values.text("sort")) + 1);
  return order;
}

}  // namespace strata
