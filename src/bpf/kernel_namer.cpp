// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/kernel_namer.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>

#include "bpf/host.h"

namespace strata {
namespace {

constexpr uint32_t kTextBytes = 512, kFormatBytes = 8;  // the kernel's own KSYM_SYMBOL_LEN is less
constexpr uint32_t kZero = 0;

Fd make_array(const char *name, uint32_t value_bytes, uint32_t flags) {
  LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = flags);
  return Fd(bpf_map_create(BPF_MAP_TYPE_ARRAY, name, sizeof(kZero), value_bytes, 1, &options));
}

constexpr bpf_insn instruction(uint8_t code, unsigned to, unsigned from, int16_t offset, int32_t number) {
  bpf_insn one = {};
  one.code = code;
  one.dst_reg = to & 15;  // they have four bits
  one.src_reg = from & 15;
  one.off = offset;
  one.imm = number;
  return one;
}

// bpf_snprintf(text, kTextBytes, format, &address, 8), where the address is the first word of the context.
Fd load(const Fd &text, const Fd &format) {
  const bpf_insn code[] = {
      instruction(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_1, 0, 0),
      instruction(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_6, -8, 0),
      instruction(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_VALUE, 0, text.get()),
      instruction(0, 0, 0, 0, 0),
      instruction(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, kTextBytes),
      instruction(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_3, BPF_PSEUDO_MAP_VALUE, 0, format.get()),
      instruction(0, 0, 0, 0, 0),
      instruction(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_4, BPF_REG_10, 0, 0),
      instruction(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_4, 0, 0, -8),
      instruction(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_5, 0, 0, 8),
      instruction(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_snprintf),
      instruction(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0),
      instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
  };
  return Fd(bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "strata_names", "GPL", code, std::size(code), nullptr));
}

}  // namespace

KernelNamer::KernelNamer() {
  static constexpr char kFormat[kFormatBytes] = "%pS";
  if (denied("test_run")) return;
  text_ = make_array("strata_text", kTextBytes, 0);
  format_ = make_array("strata_format", kFormatBytes, BPF_F_RDONLY_PROG);
  if (!text_ || bpf_map_update_elem(format_.get(), &kZero, kFormat, BPF_ANY) != 0) return;
  if (bpf_map_freeze(format_.get()) == 0) program_ = load(text_, format_);
}

// "veth_xmit+0x1f/0x2a0 [veth]", "0xffffc90000000000"
std::optional<std::string> KernelNamer::name(uint64_t address) const {
  std::array<char, kTextBytes> text = {};
  LIBBPF_OPTS(bpf_test_run_opts, run, .ctx_in = &address, .ctx_size_in = sizeof(address));
  if (!program_ || bpf_prog_test_run_opts(program_.get(), &run) != 0) return std::nullopt;
  if (bpf_map_lookup_elem(text_.get(), &kZero, text.data()) != 0) return std::nullopt;
  std::string name(text.data(), strnlen(text.data(), text.size()));
  const size_t plus = name.rfind('+'), slash = name.find('/', plus == std::string::npos ? 0 : plus);
  if (plus == std::string::npos || slash == std::string::npos) return "";
  return name.erase(slash, std::min(name.find(' ', slash), name.size()) - slash);
}

}  // namespace strata
