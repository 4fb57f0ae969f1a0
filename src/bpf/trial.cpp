// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/trial.h"

#include <linux/bpf.h>

#include <cerrno>

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

}  // namespace strata
