// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/named_places.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "bpf/trial.h"

namespace strata {
namespace {

// The part of union bpf_attr that BPF_RAW_TRACEPOINT_OPEN reads (include/uapi/linux/bpf.h since 6.10).
struct RawTracepoint {
  uint64_t name;
  uint32_t program, pad;
  uint64_t cookie;
};

constexpr uint32_t kReturns = 1;  // BPF_F_KPROBE_MULTI_RETURN

struct Kprobes {
  int program;
  std::span<const std::string> functions;
  std::span<const uint64_t> cookies;
  bool returns;
};

Fd link_kprobes(const Kprobes &wanted, size_t from, size_t to) {
  std::vector<const char *> names;
  for (const std::string &one : wanted.functions.subspan(from, to - from)) names.push_back(one.c_str());
  const std::vector<__u64> cookies(wanted.cookies.begin() + static_cast<ptrdiff_t>(from),
                                   wanted.cookies.begin() + static_cast<ptrdiff_t>(to));
  LIBBPF_OPTS(bpf_link_create_opts, options);
  options.kprobe_multi.cnt = static_cast<uint32_t>(names.size());
  options.kprobe_multi.flags = wanted.returns ? kReturns : 0;
  options.kprobe_multi.syms = names.data();
  options.kprobe_multi.cookies = cookies.data();
  const int link = bpf_link_create(wanted.program, 0, static_cast<bpf_attach_type>(kKprobeMulti), &options);
  if (link < 0) errno = -link;
  return Fd(link < 0 ? -1 : link);
}

// All at once; where the kernel refuses that, as it does for one of them, each half.
void attach_some(const Kprobes &wanted, size_t from, size_t to, KprobeMulti &all) {
  Fd link = link_kprobes(wanted, from, to);
  if (link) {
    all.links.push_back(std::move(link));
  } else if (to - from == 1) {
    all.refused.push_back({.function = from, .err = errno});
  } else {
    const size_t middle = from + (to - from) / 2;
    attach_some(wanted, from, middle, all);
    attach_some(wanted, middle, to, all);
  }
}

bool try_tracepoint_cookies() {
  const bpf_insn code[] = {
      {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = BPF_FUNC_get_attach_cookie},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  const Fd program(bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "strata_probe", "GPL", code, std::size(code), nullptr));
  return static_cast<bool>(program);
}

// A kernel that knows such links says that there is no such function (ESRCH), others that they know no such link
// (EINVAL) or cannot attach it (EOPNOTSUPP).
bool try_kprobe_multi() {
  LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = static_cast<bpf_attach_type>(kKprobeMulti));
  const Fd program = load_nothing(BPF_PROG_TYPE_KPROBE, &options);
  if (!program) return false;
  const std::string none = "strata: no such function";
  const uint64_t cookie = 0;
  const Fd link = link_kprobes(
      {.program = program.get(), .functions = {&none, 1}, .cookies = {&cookie, 1}, .returns = false}, 0, 1);
  return !link && (errno == ESRCH || errno == ENOENT);
}

}  // namespace

bool has_tracepoint_cookies() {
  static const bool has = try_tracepoint_cookies();
  return has;
}

bool has_kprobe_multi() {
  static const bool has = try_kprobe_multi();
  return has;
}

Fd attach_raw_tracepoint(int program, const std::string &name, uint64_t cookie) {
  const RawTracepoint attributes = {.name = reinterpret_cast<uint64_t>(name.c_str()),
                                    .program = static_cast<uint32_t>(program),
                                    .pad = 0,
                                    .cookie = has_tracepoint_cookies() ? cookie : 0};
  const size_t size = has_tracepoint_cookies() ? sizeof(attributes) : offsetof(RawTracepoint, cookie);
  return Fd(static_cast<int>(syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attributes, size)));
}

KprobeMulti attach_kprobe_multi(int program, std::span<const std::string> functions, std::span<const uint64_t> cookies,
                                bool returns) {
  KprobeMulti all;
  attach_some({.program = program, .functions = functions, .cookies = cookies, .returns = returns}, 0, functions.size(),
              all);
  return all;
}

}  // namespace strata
