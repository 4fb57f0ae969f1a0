// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/variant.h"

#include "base/test.h"

namespace strata {

TEST_CASE("a program's name is its hook and its variant") {
  const auto [hook, variant] = split_program_name("write_enter__fexit");
  CHECK(hook == "write_enter");
  REQUIRE(variant != nullptr);
  CHECK(variant->need == Need::kFentry);
  CHECK(split_program_name("a__b__raw").first == "a__b");
  CHECK(split_program_name("each_task__iter").second->need == Need::kIterator);
}

TEST_CASE("a name without a known variant is a hook of its own") {
  for (const char *name : {"filter_fork", "__raw", "x__rawest", "raw", "x_raw", ""}) {
    CHECK(split_program_name(name).first == name);
    CHECK(split_program_name(name).second == nullptr);
  }
}

TEST_CASE("the typed and direct variants come first") {
  const auto rank = [](const char *name) { return split_program_name(name).second->rank; };
  CHECK(rank("x__btf") < rank("x__raw"));
  CHECK(rank("x__fentry") < rank("x__kprobe"));
  CHECK(rank("x__fexit") < rank("x__kretprobe"));
}

}  // namespace strata
