// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/probe_name.h"

#include "base/error.h"
#include "base/test.h"

namespace strata {

using Kind = ProbeName::Kind;

TEST_CASE("probes, as bcc and bpftrace write them") {
  const ProbeName tracepoint = {.kind = Kind::kTracepoint, .place = "sched", .name = "sched_switch"};
  CHECK(parse_probe("t:sched:sched_switch") == tracepoint);
  CHECK(parse_probe("tracepoint:sched:sched_switch") == tracepoint);
  CHECK(parse_probe("rawtracepoint:sched_switch") ==
        ProbeName{.kind = Kind::kTracepoint, .place = "", .name = "sched_switch"});

  const ProbeName function = {.kind = Kind::kKernelFunction, .place = "", .name = "vfs_read"};
  for (const char *text : {"vfs_read", "k:vfs_read", "kprobe:vfs_read", "p::vfs_read", ":vfs_read", "fentry:vfs_read"})
    CHECK(parse_probe(text) == function);
  CHECK(parse_probe("k:xfs:xfs_file_fsync") ==
        ProbeName{.kind = Kind::kKernelFunction, .place = "xfs", .name = "xfs_file_fsync"});
  CHECK(parse_probe("vfs_*").name == "vfs_*");

  const ProbeName user = {.kind = Kind::kUserFunction, .place = "c", .name = "malloc"};
  CHECK(parse_probe("p:c:malloc") == user);
  CHECK(parse_probe("uprobe:c:malloc") == user);
  CHECK(parse_probe("u:/opt/a:std::sort<int>(int*)") ==
        ProbeName{.kind = Kind::kStaticProbeOrUserFunction, .place = "/opt/a", .name = "std::sort<int>(int*)"});
  CHECK(parse_probe("usdt:/opt/a:node:gc") ==
        ProbeName{.kind = Kind::kStaticProbe, .place = "/opt/a", .name = "node:gc"});
  CHECK(parse_probe("/opt/a:main") == ProbeName{.kind = Kind::kUserFunction, .place = "/opt/a", .name = "main"});

  // What there is on the host decides.
  for (const char *text : {"c:malloc", "sched:sched_switch"})
    CHECK(parse_probe(text).kind == Kind::kTracepointOrUserFunction);
  CHECK(parse_probe("stdc++:std::terminate").name == "std::terminate");
}

TEST_CASE("what is no probe is refused, with the reason") {
  const auto why = [](const char *text) -> std::string {
    try {
      (void)parse_probe(text);
    } catch (const Error &error) {
      CHECK(error.exit_status() == kUsageStatus);
      return error.what();
    }
    return "";
  };
  CHECK(why("kretprobe:vfs_read") ==
        "no probe: 'kretprobe:vfs_read': calls are counted where functions begin, not where they return");
  CHECK(why("usdt:gc").find("the file is missing") != std::string::npos);
  CHECK(why("x:a:b") == "no probe: 'x:a:b': there is no kind of probe 'x', but t, k and u");
  CHECK(why("u:main") == "no probe: 'u:main': the file is missing: u:FILE:FUNCTION");
  CHECK(why("p:malloc").find("p:LIBRARY:FUNCTION") != std::string::npos);
  CHECK(why("k:vfs_read+0x10").find("without an offset") != std::string::npos);
  CHECK(why("a b").find("'a b' cannot be a name in the kernel") != std::string::npos);
  CHECK(why("k:\x1b[2J").find('\x1b') == std::string::npos);
  for (const char *text : {"", ":", "t:", "t:sched:", "k:", "c:", "p::", "u::main", "u:/bin/a:"})
    CHECK(why(text) != "");
}

TEST_CASE("a place that is shown has its file's name alone") {
  CHECK(probe_title("", "vfs_read") == "vfs_read");
  CHECK(probe_title("block", "block_rq_issue") == "block:block_rq_issue");
  CHECK(probe_title("/usr/lib/libc.so.6", "malloc") == "libc.so.6:malloc");
}

}  // namespace strata
