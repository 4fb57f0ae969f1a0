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

TEST_CASE("what verifying a program cost") {
  CHECK(processed_insns("func#0 @0\nprocessed 4711 insns (limit 1000000) max_states_per_insn 0\n") == 4711);
  CHECK_FALSE(processed_insns("processed no insns"));
  CHECK_FALSE(processed_insns("func#0 @0\n"));
}

}  // namespace strata
