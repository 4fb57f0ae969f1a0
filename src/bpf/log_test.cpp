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

}  // namespace strata
