// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/listing.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <set>
#include <string_view>

namespace strata::expr {
namespace {

#define NAME(name) #name
constexpr std::string_view kHelpers[] = {__BPF_FUNC_MAPPER(NAME)};
#undef NAME

std::string reg(int number) { return "r" + std::to_string(number); }

std::string_view arithmetic(int op) {
  constexpr std::string_view kNames[] = {"+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", "", "%=", "^=", "=", "s>>="};
  const auto at = static_cast<size_t>(op >> 4);
  return at < std::size(kNames) ? kNames[at] : "?=";
}

std::string_view comparison(int op) {
  constexpr std::string_view kNames[] = {"", "==", ">", ">=", "&", "!=", "s>", "s>=", "", "", "<", "<=", "s<", "s<="};
  const auto at = static_cast<size_t>(op >> 4);
  return at < std::size(kNames) ? kNames[at] : "?";
}

std::string place(const bpf_insn &one, int base) {
  constexpr std::string_view kWidths[] = {"u32", "u16", "u8", "u64"};
  const std::string offset = one.off == 0 ? "" : (one.off > 0 ? " + " : " - ") + std::to_string(std::abs(one.off));
  return "*(" + std::string(kWidths[BPF_SIZE(one.code) >> 3]) + " *)(" + reg(base) + offset + ")";
}

std::string operand(const bpf_insn &one) {
  return BPF_SRC(one.code) == BPF_X ? reg(one.src_reg) : std::to_string(one.imm);
}

std::string call(const bpf_insn &one) {
  if (one.src_reg == BPF_PSEUDO_CALL) return "call the filter of tasks";
  const auto helper = static_cast<size_t>(one.imm);
  return "call " + (helper < std::size(kHelpers) ? std::string(kHelpers[helper]) : std::to_string(one.imm));
}

std::string jump(const bpf_insn &one, size_t target) {
  const std::string to = "goto " + std::to_string(target);
  if (BPF_OP(one.code) == BPF_JA) return to;
  return "if " + reg(one.dst_reg) + " " + std::string(comparison(BPF_OP(one.code))) + " " + operand(one) + " " + to;
}

std::string calculation(const bpf_insn &one) {
  const std::string to = reg(one.dst_reg);
  if (BPF_OP(one.code) == BPF_NEG) return to + " = -" + to;
  if (BPF_OP(one.code) == BPF_END) return to + " = be" + std::to_string(one.imm) + "(" + to + ")";
  const bool narrow = BPF_CLASS(one.code) == BPF_ALU;
  return to + " " + std::string(arithmetic(BPF_OP(one.code))) + " " + (narrow ? "(u32)" : "") + operand(one);
}

std::string wide_number(const bpf_insn &low, const bpf_insn &high) {
  char hex[32];
  const uint64_t value = static_cast<uint64_t>(static_cast<uint32_t>(high.imm)) << 32 | static_cast<uint32_t>(low.imm);
  snprintf(hex, sizeof(hex), "0x%" PRIx64, value);
  return hex;
}

std::string referred(const Reference &one, const Plan &plan) {
  switch (one.kind) {
    case Reference::Kind::kMap:
      return "map @" + plan.maps[one.map].name;
    case Reference::Kind::kValue:
      return "value of map @" + plan.maps[one.map].name;
    case Reference::Kind::kRing:
      return "map of records";
    case Reference::Kind::kLosses:
      return "map of losses";
    case Reference::Kind::kScratch:
      return "map of the program's memory";
    case Reference::Kind::kStacks:
      return "map of the kernel's stacks";
    case Reference::Kind::kUserStacks:
      return "map of stacks";
    case Reference::Kind::kWalk:
      return "map of the walk";
    case Reference::Kind::kHalves:
      return "map of halves";
  }
  return "";
}

bool jumps(const bpf_insn &one) {
  const bool conditional = BPF_CLASS(one.code) == BPF_JMP || BPF_CLASS(one.code) == BPF_JMP32;
  return conditional && BPF_OP(one.code) != BPF_CALL && BPF_OP(one.code) != BPF_EXIT;
}

size_t target(const bpf_insn &one, size_t at) { return static_cast<size_t>(static_cast<int64_t>(at) + 1 + one.off); }

size_t called(const bpf_insn &one, size_t at) { return static_cast<size_t>(static_cast<int64_t>(at) + 1 + one.imm); }

std::string text_of(const Half &half, size_t at, const Plan &plan) {
  const bpf_insn &one = half.instructions[at];
  for (const Reference &reference : half.references)
    if (reference.instruction == at) return reg(one.dst_reg) + " = " + referred(reference, plan);
  switch (BPF_CLASS(one.code)) {
    case BPF_ALU:
    case BPF_ALU64:
      return calculation(one);
    case BPF_LD:
      if (one.src_reg == BPF_PSEUDO_FUNC)
        return reg(one.dst_reg) + " = the function at " + std::to_string(called(one, at));
      return reg(one.dst_reg) + " = " + wide_number(one, half.instructions[at + 1]);
    case BPF_LDX:
      return reg(one.dst_reg) + " = " + place(one, one.src_reg);
    case BPF_ST:
      return place(one, one.dst_reg) + " = " + std::to_string(one.imm);
    case BPF_STX:
      return place(one, one.dst_reg) + (BPF_MODE(one.code) == BPF_ATOMIC ? " atomic += " : " = ") + reg(one.src_reg);
    default:
      break;
  }
  if (BPF_OP(one.code) == BPF_EXIT) return "exit";
  return BPF_OP(one.code) == BPF_CALL ? call(one) : jump(one, target(one, at));
}

}  // namespace

std::string listing_of(const Half &half, const Plan &plan) {
  std::set<size_t> targets(half.functions.begin(), half.functions.end());
  for (size_t at = 0; at < half.instructions.size(); at++)
    if (jumps(half.instructions[at])) targets.insert(target(half.instructions[at], at));
  std::string text;
  for (size_t at = 0; at < half.instructions.size(); at++) {
    char number[32];
    snprintf(number, sizeof(number), "%s%4zu  ", targets.contains(at) ? ">" : " ", at);
    text += number + text_of(half, at, plan) + "\n";
    if (half.instructions[at].code == (BPF_LD | BPF_DW | BPF_IMM)) at++;  // has two places
  }
  return text;
}

}  // namespace strata::expr
