// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/assembler.h"

#include <cstdint>

namespace strata::expr {
namespace {

int width(uint32_t bytes) { return bytes == 1 ? BPF_B : bytes == 2 ? BPF_H : bytes == 4 ? BPF_W : BPF_DW; }

}  // namespace

void Assembler::emit(int code, int to, int from, int offset, int32_t value) {
  bpf_insn one = {};
  one.code = static_cast<uint8_t>(code);
  one.dst_reg = static_cast<uint8_t>(to & 15);
  one.src_reg = static_cast<uint8_t>(from & 15);
  one.off = static_cast<int16_t>(offset);
  one.imm = value;
  code_.push_back(one);
}

Assembler::Label Assembler::label() {
  labels_.push_back(0);
  return static_cast<Label>(labels_.size() - 1);
}

void Assembler::place(Label label) { labels_[label] = code_.size(); }

void Assembler::move(int to, int from) {
  if (to != from) emit(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}

void Assembler::number(int to, uint64_t value) {
  const auto low = static_cast<int32_t>(value);
  if (static_cast<uint64_t>(static_cast<int64_t>(low)) == value)
    return emit(BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, low);
  emit(BPF_LD | BPF_DW | BPF_IMM, to, 0, 0, low);
  emit(0, 0, 0, 0, static_cast<int32_t>(value >> 32));
}

void Assembler::alu(int op, int to, int from) { emit(BPF_ALU64 | op | BPF_X, to, from, 0, 0); }
void Assembler::alu_number(int op, int to, int32_t value) { emit(BPF_ALU64 | op | BPF_K, to, 0, 0, value); }

void Assembler::extend(int reg, uint32_t bytes, bool is_signed) {
  if (bytes >= 8 || bytes == 0) return;
  if (bytes == 4 && !is_signed) return emit(BPF_ALU | BPF_MOV | BPF_X, reg, reg, 0, 0);
  const auto shift = static_cast<int32_t>(64 - bytes * 8);
  alu_number(BPF_LSH, reg, shift);
  alu_number(is_signed ? BPF_ARSH : BPF_RSH, reg, shift);
}

void Assembler::load(int to, int from, int offset, uint32_t bytes) {
  emit(BPF_LDX | BPF_MEM | width(bytes), to, from, offset, 0);
}
void Assembler::store(int to, int offset, int from, uint32_t bytes) {
  emit(BPF_STX | BPF_MEM | width(bytes), to, from, offset, 0);
}
void Assembler::store_number(int to, int offset, int32_t value, uint32_t bytes) {
  emit(BPF_ST | BPF_MEM | width(bytes), to, 0, offset, value);
}
void Assembler::add_atomically(int to, int offset, int from) { emit(BPF_STX | BPF_XADD | BPF_DW, to, from, offset, 0); }
void Assembler::swap_bytes(int reg, uint32_t bytes) {
  emit(BPF_ALU | BPF_END | BPF_TO_BE, reg, 0, 0, static_cast<int32_t>(bytes * 8));
}
void Assembler::call(int helper) { emit(BPF_JMP | BPF_CALL, 0, 0, 0, helper); }

void Assembler::call_filter() { emit(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0); }

void Assembler::jump(Label to) {
  jumps_.push_back({.at = code_.size(), .to = to});
  emit(BPF_JMP | BPF_JA, 0, 0, 0, 0);
}
void Assembler::jump_if(int op, int reg, int other, Label to) {
  jumps_.push_back({.at = code_.size(), .to = to});
  emit(BPF_JMP | op | BPF_X, reg, other, 0, 0);
}
void Assembler::jump_if_number(int op, int reg, int32_t value, Label to) {
  jumps_.push_back({.at = code_.size(), .to = to});
  emit(BPF_JMP | op | BPF_K, reg, 0, 0, value);
}
void Assembler::settle(bool here, Label contrary) {
  const Label done = label();
  number(0, here ? 1 : 0);
  jump(done);
  place(contrary);
  number(0, here ? 0 : 1);
  place(done);
}

void Assembler::exit() { emit(BPF_JMP | BPF_EXIT, 0, 0, 0, 0); }

void Assembler::refer(int to, Reference::Kind kind, uint32_t map) {
  references_.push_back({.kind = kind, .instruction = static_cast<uint32_t>(code_.size()), .map = map});
  emit(BPF_LD | BPF_DW | BPF_IMM, to, kind == Reference::Kind::kValue ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD, 0, 0);
  emit(0, 0, 0, 0, 0);
}

void Assembler::refer_function(int to, Label function) {
  functions_.push_back({.at = code_.size(), .to = function});
  emit(BPF_LD | BPF_DW | BPF_IMM, to, BPF_PSEUDO_FUNC, 0, 0);
  emit(0, 0, 0, 0, 0);
}

// The first instruction keeps the context in a register, which costs three more at each run: the kernel saves and
// restores it. Many a program never looks there.
bool Assembler::keeps_for_nothing(const std::vector<bool> &reached) const {
  if (code_.empty() || code_[0].code != (BPF_ALU64 | BPF_MOV | BPF_X)) return false;
  for (size_t i = 1; i < code_.size(); i++)
    if (reached[i] && (code_[i].dst_reg == code_[0].dst_reg || code_[i].src_reg == code_[0].dst_reg)) return false;
  return true;
}

// What no way leads to (behind exit(), or a branch that is never taken) the kernel refuses.
void Assembler::drop_unreachable() {
  std::vector<size_t> target(code_.size(), code_.size());
  for (const std::vector<Jump> *each : {&jumps_, &functions_})
    for (const Jump &jump : *each) target[jump.at] = labels_[jump.to];
  std::vector<bool> reached(code_.size() + 1);
  std::vector<size_t> waiting = {0};
  while (!waiting.empty()) {
    const size_t at = waiting.back();
    waiting.pop_back();
    if (at >= code_.size() || reached[at]) continue;
    reached[at] = true;
    if (target[at] != code_.size()) waiting.push_back(target[at]);
    const bool ends = code_[at].code == (BPF_JMP | BPF_EXIT) || code_[at].code == (BPF_JMP | BPF_JA);
    if (!ends) waiting.push_back(at + 1);
  }
  if (keeps_for_nothing(reached)) reached[0] = false;
  std::vector<size_t> moved(code_.size() + 1);  // where each is then
  for (size_t i = 0; i < code_.size(); i++) moved[i + 1] = moved[i] + (reached[i] ? 1 : 0);
  std::vector<bpf_insn> kept;
  for (size_t i = 0; i < code_.size(); i++)
    if (reached[i]) kept.push_back(code_[i]);
  for (std::vector<Jump> *each : {&jumps_, &functions_}) {
    std::erase_if(*each, [&](const Jump &jump) { return !reached[jump.at]; });
    for (Jump &jump : *each) jump.at = moved[jump.at];
  }
  std::erase_if(references_, [&](const Reference &one) { return !reached[one.instruction]; });
  for (Reference &one : references_) one.instruction = static_cast<uint32_t>(moved[one.instruction]);
  for (size_t &label : labels_) label = moved[label];
  code_ = std::move(kept);
}

bool Assembler::finish(Half &half) {
  drop_unreachable();
  for (const Jump &jump : jumps_) {
    const auto distance = static_cast<int64_t>(labels_[jump.to]) - static_cast<int64_t>(jump.at) - 1;
    if (distance > INT16_MAX || distance < INT16_MIN) return false;
    code_[jump.at].off = static_cast<int16_t>(distance);
  }
  for (const Jump &one : functions_) {
    code_[one.at].imm = static_cast<int32_t>(labels_[one.to] - one.at - 1);
    half.functions.insert(static_cast<uint32_t>(labels_[one.to]));
  }
  for (size_t i = 0; i < code_.size(); i++)
    if (code_[i].code == (BPF_JMP | BPF_CALL) && code_[i].src_reg == BPF_PSEUDO_CALL)
      half.filter_call = static_cast<int>(i);
  half.instructions = std::move(code_);
  half.references = std::move(references_);
  return true;
}

}  // namespace strata::expr
