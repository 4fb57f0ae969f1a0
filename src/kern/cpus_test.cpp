// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/cpus.h"

#include "base/test.h"

namespace strata {

TEST_CASE("lists of CPUs as sysfs has them") {
  using Cpus = std::vector<uint32_t>;
  CHECK(cpu_list("0\n") == Cpus{0});
  CHECK(cpu_list("0-3\n") == Cpus{0, 1, 2, 3});
  CHECK(cpu_list("0,2-3,11\n") == Cpus{0, 2, 3, 11});
  CHECK(cpu_list("").empty());
  CHECK(cpu_list("none").empty());
  CHECK(cpu_list("3-1").empty());
  CHECK(cpu_list("0-99999999999,5") == Cpus{5});
}

TEST_CASE("this machine's CPUs") { CHECK(possible_cpus() > 0); }

}  // namespace strata
