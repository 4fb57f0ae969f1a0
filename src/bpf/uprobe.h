// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs at functions of user space: what this kernel permits, found out by doing it. Object::attach_uprobes owns
// what is attached. Rejected: to choose by the kernel's version; to tell places apart by the instruction pointer, which
// says nothing without the file's address in that process.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/fd.h"

namespace strata {

struct UprobePoint {
  uint64_t offset;         // in the file
  uint64_t semaphore = 0;  // in the file: a counter of those who look; 0: none
  uint64_t cookie = 0;     // what bpf_get_attach_cookie() gives, if has_uprobe_cookies()
};

// One program tells the places apart at which it runs (5.15); else each place needs a program of its own.
[[nodiscard]] bool has_uprobe_cookies();

// All places of a file at once (6.6). Each one by itself costs as many descriptors, and to close each one may take a
// grace period of the kernel. A program is of this kind before it is loaded.
[[nodiscard]] bool has_uprobe_multi();
inline constexpr int kUprobeMulti = 48;  // BPF_TRACE_UPROBE_MULTI, which Debian 12's headers do not have

// -1 and errno if the kernel refuses it. `tgid`: of this process alone, or 0. Kernels from 6.6 on that lack what 6.10
// and its stable releases mended (46ba0e49b642) see its first thread only.
[[nodiscard]] Fd attach_uprobe_multi(int program, const std::string &path, std::span<const UprobePoint> points,
                                     bool returns, uint32_t tgid = 0);

}  // namespace strata
