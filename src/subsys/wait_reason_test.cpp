// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/wait_reason.h"

#include "base/test.h"

namespace strata {
TEST_CASE("wait_reason: the innermost function that is known decides") {
  CHECK(wait_reason("schedule_[k]\ndo_wait_[k]\nkernel_wait4_[k]") == "child");
  CHECK(wait_reason("handle_userfault_[k]\nhandle_mm_fault_[k]\n__sys_recvfrom_[k]") == "fault");
  CHECK(wait_reason("____sys_recvmsg_[k]") == "socket");
  CHECK(wait_reason("xfs_log_force_seq_[k]") == "journal");
}

TEST_CASE("wait_reason: a compiler's clone is the function itself") {
  CHECK(wait_reason("do_semtimedop.constprop.0_[k]") == "ipc");
}

TEST_CASE("wait_reason: nothing is known of other functions, of part of a name, or of a program's") {
  CHECK(wait_reason("").empty());
  CHECK(wait_reason("worker_thread_[k]\nkthread_[k]").empty());
  CHECK(wait_reason("do_wai_[k]\ndo_waits_[k]\n_[k]\n.isra.0_[k]").empty());
  CHECK(wait_reason("do_wait\npipe_read_[j]\n[truncated: do_wait]").empty());
}

}  // namespace strata
