// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a probe was called with: in the context of a tracepoint, in registers and on the stack, or where a static probe
// says.
#include <iterator>

#include "expr/generate.h"
#include "expr/machine.h"

namespace strata::expr {
namespace {

using TypeKind = Type::Kind;

}  // namespace

// A pointer that comes with its type is none to reckon with: read as a number it is. A struct lies in the context.
void Generator::argument(uint32_t index, const Type &type) {
  if (target_->is_typed() && type.is(TypeKind::kRecord)) {
    out_.move(0, 6);
    return out_.alu_number(BPF_ADD, 0, static_cast<int32_t>(index) * 8);
  }
  if (target_->is_typed() && type.is(TypeKind::kPointer)) {
    const int slot = frame_slot(8);
    out_.move(3, 6);
    out_.alu_number(BPF_ADD, 3, static_cast<int>(index) * 8);
    address_of(1, {.offset = slot});
    out_.number(2, 8);
    out_.call(BPF_FUNC_probe_read_kernel);
    return out_.load(0, frame_register_, slot, 8);
  }
  if (target_->is("usdt")) return operand(target_->operands[index]);
  const bool registers = target_->has_registers();
  if (registers && index >= std::size(kArguments)) {
    const auto word = static_cast<uint32_t>(index - std::size(kArguments));
    out_.load(0, 6, kStackPointer, 8);
    return read(type, kStackArguments + word * 8);
  }
  out_.load(0, 6, registers ? kArguments[index] : static_cast<int>(index) * 8, 8);
  if (type.is(TypeKind::kInt)) out_.extend(0, type.size, type.is_signed);
}

void Generator::operand(const Operand &one) {
  if (one.kind == Operand::Kind::kConstant) {
    out_.number(0, static_cast<uint64_t>(one.value));
  } else {
    out_.load(0, 6, one.base, 8);
    if (one.high) out_.alu_number(BPF_RSH, 0, 8);
  }
  if (one.kind == Operand::Kind::kMemory) {
    if (one.index >= 0) {
      out_.load(1, 6, one.index, 8);
      out_.alu_number(BPF_MUL, 1, one.scale);
      out_.alu(BPF_ADD, 0, 1);
    }
    out_.number(1, static_cast<uint64_t>(one.value));
    out_.alu(BPF_ADD, 0, 1);
    const int slot = frame_slot(8);
    probe_read(Space::kUser, false, one.bytes, {.offset = slot});
    out_.load(0, frame_register_, slot, one.bytes);
  }
  out_.extend(0, one.bytes, one.is_signed);
}

}  // namespace strata::expr
