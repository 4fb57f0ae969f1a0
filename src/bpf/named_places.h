// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program at several places of the kernel that are named: what this kernel permits, found out by doing it. Object
// owns what is attached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"

namespace strata {

// One raw tracepoint program tells the tracepoints apart at which it runs (6.10).
[[nodiscard]] bool has_tracepoint_cookies();

// -1 and errno if the kernel refuses it. The cookie only where there are some.
[[nodiscard]] Fd attach_raw_tracepoint(int program, const std::string &name, uint64_t cookie);

// All functions at once, in some 100 ms for thousands of them (5.18, if the kernel has fprobes: Debian's 6.1 has not);
// else each one by itself takes 7 ms to attach, and up to 40 to detach. A program is of this kind before it is loaded.
[[nodiscard]] bool has_kprobe_multi();
inline constexpr int kKprobeMulti = 42;  // BPF_TRACE_KPROBE_MULTI

struct KprobeMulti {
  std::vector<Fd> links;
  struct Refused {
    size_t function;  // of those that were wanted
    int err;
  };
  std::vector<Refused> refused;
};
// A cookie for each. `returns`: where they return.
[[nodiscard]] KprobeMulti attach_kprobe_multi(int program, std::span<const std::string> functions,
                                              std::span<const uint64_t> cookies, bool returns = false);

}  // namespace strata
