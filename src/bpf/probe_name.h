// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Places to attach programs to, as people write them: bcc's notation and bpftrace's. Pure: what there is on this host,
// the one who attaches knows.
//
//   t:sched:sched_switch  tracepoint:sched:sched_switch  rawtracepoint:sched_switch   a tracepoint
//   vfs_read  k:vfs_read  kprobe:vfs_read  k:xfs:xfs_file_fsync  p::vfs_read           a function of the kernel
//   u:/usr/bin/redis-server:main  uprobe:libc:malloc  p:c:malloc                       one of a program or a library
//   u:/usr/bin/node:gc__start  usdt:/usr/bin/node:node:gc__start                       a static probe of one (USDT)
//   sched:sched_switch  c:malloc                             a tracepoint as perf writes it, or a function of a library
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

struct ProbeName {
  enum class Kind : uint8_t {
    kTracepoint,
    kKernelFunction,
    kUserFunction,
    kStaticProbe,  // of a program; its name may have its provider before it
    kTracepointOrUserFunction,
    kStaticProbeOrUserFunction
  };
  Kind kind = Kind::kKernelFunction;
  std::string place;  // the category of a tracepoint, a module, the path or the short name of a file; may be empty
  std::string name;   // may be a pattern with *, ? or []
  friend bool operator==(const ProbeName &, const ProbeName &) = default;
};

ProbeName parse_probe(std::string_view text);  // throws a usage Error

bool is_pattern(std::string_view name);  // it has *, ? or []
// As a whole, whether or not the pattern is one.
bool is_called(const std::string &name, const std::string &pattern);

// The name with the most that is known of its place, as it is shown: "block:block_rq_issue", "libc.so.6:malloc".
std::string probe_title(std::string_view place, std::string_view name);

}  // namespace strata
