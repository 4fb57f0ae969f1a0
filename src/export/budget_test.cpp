// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/budget.h"

#include "base/test.h"

namespace strata {

TEST_CASE("the dearest tool goes when the budget is exceeded twice in a row") {
  Budget budget(10'000);
  const std::optional<ToolCost> tools[] = {ToolCost{4000, 100}, std::nullopt, ToolCost{3000, 2000}};
  CHECK_FALSE(budget.judge(3500, tools));
  CHECK(budget.cost() == 10'500);
  CHECK(budget.judge(3500, tools) == 2);
  CHECK_FALSE(budget.judge(3500, tools));  // what is left has two measurements again
}

TEST_CASE("a burst is no reason") {
  Budget budget(10'000);
  const std::optional<ToolCost> much[] = {ToolCost{90'000, 0}}, little[] = {ToolCost{1, 0}};
  for (int i = 0; i < 5; i++) {
    CHECK_FALSE(budget.judge(0, much));
    CHECK_FALSE(budget.judge(0, little));
  }
  CHECK_FALSE(budget.judge(10'000, {}));
}

TEST_CASE("without a tool nothing can go") {
  Budget budget(100);
  CHECK_FALSE(budget.judge(1000, {}));
  CHECK_FALSE(budget.judge(1000, {}));
  CHECK(cpu_text(4242) == "0.42% of a CPU");
}

}  // namespace strata
