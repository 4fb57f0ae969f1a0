// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/log.h"

#include <bpf/libbpf.h>

#include "base/test.h"
#include "bpf/object.h"

namespace strata {

TEST_CASE("libbpf's complaints are kept, the last lines of them") {
  capture_libbpf_log();
  const char garbage[64] = "this is no ELF file";
  CHECK(bpf_object__open_mem(garbage, sizeof(garbage), nullptr) == nullptr);
  const std::string end = libbpf_log_end(1);
  CHECK(end.find("libbpf: ") == 0);
  CHECK(end.find('\n') == end.size() - 1);
  CHECK(libbpf_log_end(100).size() >= end.size());
}

TEST_CASE("the program that the kernel refused") {
  CHECK(refused_program(
            "libbpf: prog 'a': BPF program load failed: x\nlibbpf: prog 'b__raw': BPF program load failed: y\n"
            "libbpf: failed to load object 'c'\n") == "b__raw");
  CHECK(refused_program("': BPF program load failed").empty());
  CHECK(refused_program("libbpf: failed to load object 'c'\n").empty());
}

TEST_CASE("the field that a kernel lacks") {
  const std::string_view log =
      "libbpf: prog 'sched_switch__btf': BPF program load failed: Invalid argument\n"
      "libbpf: prog 'sched_switch__btf': -- BEGIN PROG LOAD LOG --\n"
      "363: <invalid CO-RE relocation>\n"
      "failed to resolve CO-RE relocation <byte_off> [53] struct task_struct.sched_info.pcount (0:12:0 @ offset 88)\n"
      "processed 71 insns (limit 1000000) max_states_per_insn 0 total_states 6 peak_states 6 mark_read 0\n";
  CHECK(missing_field(log) == "task_struct.sched_info.pcount");
  CHECK(missing_field("failed to resolve CO-RE relocation <enumval_value> [5] enum rqf_flags::__RQF_X = 3\n").empty());
  CHECK(missing_field("failed to resolve CO-RE relocation <byte_off> [5] struct rq.x") == "rq.x");
  CHECK(missing_field("processed 71 insns\n").empty());
  CHECK(without_field("task_struct.sched_info.pcount").find("CONFIG_SCHED_INFO") != std::string::npos);
  CHECK(without_field("task_struct.se.cfs_rq").find("CONFIG_FAIR_GROUP_SCHED") != std::string::npos);
  CHECK(without_field("rq.x") == "this kernel has no rq.x; it may lack an option, or be newer than this strata");
}

TEST_CASE("what verifying a program cost") {
  CHECK(processed_insns("func#0 @0\nprocessed 4711 insns (limit 1000000) max_states_per_insn 0\n") == 4711);
  CHECK_FALSE(processed_insns("processed no insns"));
  CHECK_FALSE(processed_insns("func#0 @0\n"));
}

}  // namespace strata
