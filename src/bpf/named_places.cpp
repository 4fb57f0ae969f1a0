#include "bpf/named_places.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>
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
  const Fd link = attach_kprobe_multi(program.get(), {&none, 1}, 0);
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

Fd attach_kprobe_multi(int program, std::span<const std::string> functions, uint64_t first) {
  std::vector<const char *> names;
  std::vector<__u64> cookies;
  for (const std::string &one : functions) {
    names.push_back(one.c_str());
    cookies.push_back(first + cookies.size());
  }
  LIBBPF_OPTS(bpf_link_create_opts, options);
  options.kprobe_multi.cnt = static_cast<uint32_t>(names.size());
  options.kprobe_multi.syms = names.data();
  options.kprobe_multi.cookies = cookies.data();
  const int link = bpf_link_create(program, 0, static_cast<bpf_attach_type>(kKprobeMulti), &options);
  if (link < 0) errno = -link;
  return Fd(link < 0 ? -1 : link);
}

}  // namespace strata
