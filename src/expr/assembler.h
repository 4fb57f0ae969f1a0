// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// BPF instructions, with jumps to labels whose place comes later.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <vector>

#include "expr/plan.h"

namespace strata::expr {

class Assembler {
 public:
  using Label = uint32_t;
  static constexpr Label kNowhere = UINT32_MAX;

  [[nodiscard]] size_t size() const { return code_.size(); }
  Label label();
  void place(Label label);  // here

  void move(int to, int from);
  void number(int to, uint64_t value);  // one instruction, or the two of 64 bits
  void alu(int op, int to, int from);   // BPF_ADD, ...
  void alu_number(int op, int to, int32_t value);
  void extend(int reg, uint32_t bytes, bool is_signed);  // of the lowest bytes
  void load(int to, int from, int offset, uint32_t bytes);
  void store(int to, int offset, int from, uint32_t bytes);
  void store_number(int to, int offset, int32_t value, uint32_t bytes);
  void add_atomically(int to, int offset, int from);
  void swap_bytes(int reg, uint32_t bytes);
  void call(int helper);
  void call_filter();
  void jump(Label to);
  void jump_if(int op, int reg, int other, Label to);  // BPF_JEQ, ...
  void jump_if_number(int op, int reg, int32_t value, Label to);
  void settle(bool here, Label contrary);  // R0: 1 or 0 as `here` says, and the other where it came from a jump there
  void exit();
  void refer(int to, Reference::Kind kind, uint32_t map = 0);
  void refer_function(int to, Label function);  // that a helper calls

  // Too far apart for a jump of BPF: false.
  [[nodiscard]] bool finish(Half &half);

 private:
  struct Jump {
    size_t at;
    Label to;
  };
  [[nodiscard]] bool keeps_for_nothing(const std::vector<bool> &reached) const;
  void drop_unreachable();
  void emit(int code, int to, int from, int offset, int32_t value);

  std::vector<bpf_insn> code_;
  std::vector<size_t> labels_;
  std::vector<Jump> jumps_, functions_;
  std::vector<Reference> references_;
};

}  // namespace strata::expr
