// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "btf/kernel_types.h"

#include "base/test.h"

namespace strata {

TEST_CASE("arguments of tracepoints that never changed, where there is BTF") {
  if (!has_kernel_types()) return;
  CHECK(tracepoint_args("sched_process_fork") == 2);
  CHECK(tracepoint_args("sched_process_exec") == 3);
  CHECK(has_tracepoint("sched_process_fork"));
  CHECK(has_typed_function("bpf_fentry_test1"));
  CHECK(has_function("bpf_fentry_test1"));
}

TEST_CASE("what was forgotten is read anew") {
  const uint32_t number = typed_tracepoint("sched_process_fork").number;
  forget_kernel_types();
  CHECK(typed_tracepoint("sched_process_fork").number == number);
}

TEST_CASE("what does not exist is absent") {
  CHECK(tracepoint_args("no_such_tracepoint") == -1);
  CHECK_FALSE(has_typed_tracepoint("no_such_tracepoint"));
  CHECK_FALSE(has_tracepoint("no_such_tracepoint"));
  CHECK_FALSE(has_typed_function("no_such_function"));
}

}  // namespace strata
