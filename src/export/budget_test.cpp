// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/budget.h"

#include "base/test.h"

namespace strata {

TEST_CASE("the dearest tool goes when the budget is exceeded twice in a row") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> tools[] = {ToolCost{5500, 100}, std::nullopt, ToolCost{4000, 2000}};
  CHECK_FALSE(budget.judge(3500, tools));
  CHECK(budget.cost() == 13'000);
  CHECK(budget.judged() == 11'600);
  CHECK(budget.judge(3500, tools) == Budget::Step{2, 0});
  CHECK_FALSE(budget.judge(3500, tools));  // what is left has two measurements again
}

TEST_CASE("what can look at fewer events does, until all fits") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> tools[] = {ToolCost{1500, 0}, ToolCost{25'000, 10, 1}};
  CHECK_FALSE(budget.judge(0, tools));
  CHECK(budget.judge(0, tools) == Budget::Step{1, 8});  // 1510 + 25,000 / 8 of the 7500 that are to be used
}

TEST_CASE("it looks at no fewer than helps, before another one goes that cannot") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> tools[] = {ToolCost{5500, 0}, ToolCost{3000, 0}, ToolCost{4000, 0, 1}};
  CHECK_FALSE(budget.judge(0, tools));
  CHECK(budget.judge(0, tools) == Budget::Step{2, 4});  // 8500 and 4000 / 4: three quarters are out of reach
  const std::optional<ToolCost> others[] = {ToolCost{11'000, 0}, ToolCost{4000, 0, 1}};
  CHECK_FALSE(budget.judge(0, others));
  CHECK(budget.judge(0, others) == Budget::Step{0, 0});
}

TEST_CASE("of several that can, each comes to its turn") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> both[] = {ToolCost{90'000, 0, 1}, ToolCost{80'000, 0, 1}};
  CHECK_FALSE(budget.judge(0, both));
  CHECK(budget.judge(0, both) == Budget::Step{0, 64});
  const std::optional<ToolCost> one[] = {ToolCost{1406, 0, 64}, ToolCost{80'000, 0, 1}};
  CHECK_FALSE(budget.judge(0, one));
  CHECK(budget.judge(0, one) == Budget::Step{1, 16});
}

TEST_CASE("what looks at as few as it can has to go, and what is read for longer than it runs") {
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

TEST_CASE("in quiet times it looks at more again, as much as fits") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> tools[] = {ToolCost{100, 0, 2}, ToolCost{1000, 10, 16}, ToolCost{10, 0}};
  for (int i = 0; i < 3; i++) CHECK_FALSE(budget.judge(500, tools));
  CHECK(budget.judge(500, tools) == Budget::Step{1, 2});  // 120 and 8000
  const std::optional<ToolCost> busy[] = {ToolCost{2500, 0, 2}, ToolCost{4600, 10, 8}};
  for (int i = 0; i < 9; i++) CHECK_FALSE(budget.judge(500, busy));  // twice of either would not fit
  const std::optional<ToolCost> idle[] = {ToolCost{2, 0, 1024}};
  for (int i = 0; i < 3; i++) CHECK_FALSE(budget.judge(500, idle));
  CHECK(budget.judge(500, idle) == Budget::Step{0, 1});
  const std::optional<ToolCost> each[] = {ToolCost{100, 0, 1}};
  for (int i = 0; i < 9; i++) CHECK_FALSE(budget.judge(0, each));
}

TEST_CASE("a burst is no reason, nor is who asks often") {
  Budget budget(10'000, 1024);
  const std::optional<ToolCost> much[] = {ToolCost{90'000, 0, 1}}, little[] = {ToolCost{1, 0, 1}};
  for (int i = 0; i < 5; i++) {
    CHECK_FALSE(budget.judge(0, much));
    CHECK_FALSE(budget.judge(0, little));
  }
  for (int i = 0; i < 5; i++) CHECK_FALSE(budget.judge(90'000, little));
  CHECK(budget.cost() == 90'001);
}

TEST_CASE("without a tool nothing can go") {
  Budget budget(100, 1024);
  CHECK_FALSE(budget.judge(1000, {}));
  CHECK_FALSE(budget.judge(1000, {}));
  CHECK(cpu_text(4242) == "0.42% of a CPU");
}

}  // namespace strata
