// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/uprobe.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "bpf/trial.h"

namespace strata {
namespace {

// The part of union bpf_attr that BPF_LINK_CREATE reads for such a link (include/uapi/linux/bpf.h since 6.6).
struct MultiLink {
  uint32_t program, target, type, flags;
  uint64_t path, offsets, ref_counters, cookies;
  uint32_t count, multi_flags, pid, pad;
};
constexpr uint32_t kReturns = 1;  // BPF_F_UPROBE_MULTI_RETURN

Fd create_link(const MultiLink &link) {
  return Fd(static_cast<int>(syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof(link))));
}

bool try_cookies() {
  const bpf_insn code[] = {
      {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = BPF_FUNC_get_attach_cookie},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  const Fd program(bpf_prog_load(BPF_PROG_TYPE_KPROBE, "strata_probe", "Dual BSD/GPL", code, std::size(code), nullptr));
  return static_cast<bool>(program);
}

// A kernel that knows such links says that "/" is no file (EBADF), others that they know no such link (EINVAL).
bool try_multi() {
  LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = static_cast<bpf_attach_type>(kUprobeMulti));
  const Fd program = load_nothing(BPF_PROG_TYPE_KPROBE, &options);
  if (!program) return false;
  const UprobePoint nowhere = {.offset = 0};
  const Fd link = attach_uprobe_multi(program.get(), "/", {&nowhere, 1}, false);
  return !link && errno == EBADF;
}

}  // namespace

bool has_uprobe_cookies() {
  static const bool has = try_cookies();
  return has;
}

bool has_uprobe_multi() {
  static const bool has = has_uprobe_cookies() && try_multi();
  return has;
}

Fd attach_uprobe_multi(int program, const std::string &path, std::span<const UprobePoint> points, bool returns,
                       uint32_t tgid) {
  std::vector<uint64_t> offsets, cookies, counters;
  for (const UprobePoint &one : points) {
    offsets.push_back(one.offset);
    cookies.push_back(one.cookie);
    counters.push_back(one.semaphore);
  }
  const MultiLink link = {.program = static_cast<uint32_t>(program),
                          .target = 0,
                          .type = kUprobeMulti,
                          .flags = 0,
                          .path = reinterpret_cast<uint64_t>(path.c_str()),
                          .offsets = reinterpret_cast<uint64_t>(offsets.data()),
                          .ref_counters = reinterpret_cast<uint64_t>(counters.data()),
                          .cookies = reinterpret_cast<uint64_t>(cookies.data()),
                          .count = static_cast<uint32_t>(points.size()),
                          .multi_flags = returns ? kReturns : 0,
                          .pid = tgid,
                          .pad = 0};
  return create_link(link);
}

}  // namespace strata
