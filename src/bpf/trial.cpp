// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/trial.h"

#include <linux/bpf.h>

#include <cerrno>
#include <iterator>

namespace strata {

// "r0 = 0; exit"
Fd load_nothing(bpf_prog_type type, bpf_prog_load_opts *options) {
  bpf_insn program[2] = {};
  program[0].code = BPF_ALU64 | BPF_MOV | BPF_K;
  program[1].code = BPF_JMP | BPF_EXIT;
  const int fd = bpf_prog_load(type, "strata_probe", "GPL", program, 2, options);
  if (fd < 0) errno = -fd;
  return Fd(fd < 0 ? -1 : fd);
}

Fd load_tail_call(const Fd &programs) {
  const bpf_insn code[] = {
      {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_6, .src_reg = BPF_REG_1, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = BPF_PSEUDO_CALL, .off = 0, .imm = 7},
      {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_6, .off = 0, .imm = 0},
      {.code = BPF_LD | BPF_IMM | BPF_DW,
       .dst_reg = BPF_REG_2,
       .src_reg = BPF_PSEUDO_MAP_FD,
       .off = 0,
       .imm = programs.get()},
      {.code = 0, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = BPF_FUNC_tail_call},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  const int fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "strata_probe", "GPL", code, std::size(code), nullptr);
  if (fd < 0) errno = -fd;
  return Fd(fd < 0 ? -1 : fd);
}

}  // namespace strata
