// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/budget.h"

#include "base/test.h"

namespace strata {

TEST_CASE("the dearest tool goes when the budget is exceeded twice in a row") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> tools[] = {ToolCost{4000, 100}, std::nullopt, ToolCost{3000, 2000}};
  CHECK_FALSE(budget.judge(3500, tools));
  CHECK(budget.cost() == 10'500);
  CHECK(budget.judge(3500, tools) == Budget::Step{2, 0});
  CHECK_FALSE(budget.judge(3500, tools));  // what is left has two measurements again
}

TEST_CASE("what can look at fewer events does, until all fits") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> tools[] = {ToolCost{1000, 0}, ToolCost{25'000, 10, 1}};
  CHECK_FALSE(budget.judge(500, tools));
  CHECK(budget.judge(500, tools) == Budget::Step{1, 8});  // 500 + 1000 + 25,000 / 8 of the 7500 that are to be used
}

TEST_CASE("what looks at as few as it can has to go, and what has no part in it") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> thinnest[] = {ToolCost{25'000, 10, 1024}}, reads[] = {ToolCost{4000, 8000, 2}};
  CHECK_FALSE(budget.judge(0, thinnest));
  CHECK(budget.judge(0, thinnest) == Budget::Step{0, 0});
  CHECK_FALSE(budget.judge(8000, reads));
  CHECK(budget.judge(8000, reads) == Budget::Step{0, 0});
  const std::optional<ToolCost> much[] = {ToolCost{90'000'000, 0, 1}};
  CHECK_FALSE(budget.judge(0, much));
  CHECK(budget.judge(0, much) == Budget::Step{0, 1024});  // and then it is seen what that costs
}

TEST_CASE("in quiet times it looks at more again") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> tools[] = {ToolCost{100, 0, 2}, ToolCost{1000, 10, 8}, ToolCost{10, 0}};
  for (int i = 0; i < 3; i++) CHECK_FALSE(budget.judge(500, tools));
  CHECK(budget.judge(500, tools) == Budget::Step{1, 4});
  for (int i = 0; i < 3; i++) CHECK_FALSE(budget.judge(500, tools));
  const std::optional<ToolCost> busy[] = {ToolCost{1500, 0, 2}, ToolCost{5000, 10, 8}};
  for (int i = 0; i < 9; i++) CHECK_FALSE(budget.judge(500, busy));  // twice of either would not fit
  const std::optional<ToolCost> each[] = {ToolCost{100, 0, 1}};
  for (int i = 0; i < 9; i++) CHECK_FALSE(budget.judge(0, each));
}

TEST_CASE("a burst is no reason") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> much[] = {ToolCost{90'000, 0, 1}}, little[] = {ToolCost{1, 0, 1}};
  for (int i = 0; i < 5; i++) {
    CHECK_FALSE(budget.judge(0, much));
    CHECK_FALSE(budget.judge(0, little));
  }
  CHECK_FALSE(budget.judge(10'000, {}));
}

TEST_CASE("without a tool nothing can go") {
  Budget budget(100, 1024);
  CHECK_FALSE(budget.judge(1000, {}));
  CHECK_FALSE(budget.judge(1000, {}));
  CHECK(cpu_text(4242) == "0.42% of a CPU");
}

}  // namespace strata
