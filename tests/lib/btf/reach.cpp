// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "reach.h"

#include <algorithm>
#include <array>

namespace btfcheck {

namespace {

using Value = std::optional<uint64_t>;

constexpr int kFrame = BPF_REG_10;
constexpr int kWord = 8;
constexpr int kWholeFrame = -(1 << 16);  // 512 bytes in fact

// What is known before an instruction.
struct State {
  std::array<Value, 11> registers;
  std::map<int, uint64_t> slots;  // words of the stack, by offset to the frame pointer

  void spoil(int from, int to) { slots.erase(slots.upper_bound(from - kWord), slots.lower_bound(to)); }

  // Keeps what holds on both ways; says whether that is less than before.
  bool meet(const State &other) {
    bool changed = false;
    for (size_t i = 0; i < registers.size(); ++i) {
      if (registers[i] && registers[i] != other.registers[i]) registers[i].reset(), changed = true;
    }
    changed |= std::erase_if(slots, [&](const auto &slot) {
                 const auto at = other.slots.find(slot.first);
                 return at == other.slots.end() || at->second != slot.second;
               }) > 0;
    return changed;
  }
};

Value compute(uint8_t op, bool wide, uint64_t a, uint64_t b) {
  const uint64_t shift = b & (wide ? 63 : 31);
  switch (op) {
    case BPF_ADD:
      return a + b;
    case BPF_SUB:
      return a - b;
    case BPF_MUL:
      return a * b;
    case BPF_OR:
      return a | b;
    case BPF_AND:
      return a & b;
    case BPF_XOR:
      return a ^ b;
    case BPF_LSH:
      return a << shift;
    case BPF_RSH:
      return (wide ? a : static_cast<uint32_t>(a)) >> shift;
    case BPF_ARSH:
      return static_cast<uint64_t>(wide ? static_cast<int64_t>(a) >> shift : static_cast<int32_t>(a) >> shift);
    case BPF_NEG:
      return -a;
    default:
      return {};
  }
}

std::optional<bool> compare(uint8_t op, bool wide, uint64_t a, uint64_t b) {
  if (!wide) a = static_cast<uint32_t>(a), b = static_cast<uint32_t>(b);
  const int64_t sa = wide ? static_cast<int64_t>(a) : static_cast<int32_t>(a);
  const int64_t sb = wide ? static_cast<int64_t>(b) : static_cast<int32_t>(b);
  switch (op) {
    case BPF_JEQ:
      return a == b;
    case BPF_JNE:
      return a != b;
    case BPF_JGT:
      return a > b;
    case BPF_JGE:
      return a >= b;
    case BPF_JLT:
      return a < b;
    case BPF_JLE:
      return a <= b;
    case BPF_JSET:
      return (a & b) != 0;
    case BPF_JSGT:
      return sa > sb;
    case BPF_JSGE:
      return sa >= sb;
    case BPF_JSLT:
      return sa < sb;
    case BPF_JSLE:
      return sa <= sb;
    default:
      return {};
  }
}

class Walk {
 public:
  Walk(const Section &section, const Function &function, const Answers &answers)
      : section_(section), function_(function), answers_(answers), before_(function.count), shared_(shared_from()) {}

  std::vector<bool> run() {
    go(function_.first, {});
    while (!todo_.empty()) {
      const uint32_t at = todo_.back();
      todo_.pop_back();
      step(at, *before_[at - function_.first]);
    }
    std::vector<bool> result;
    for (const auto &state : before_) result.push_back(state.has_value());
    return result;
  }

 private:
  const bpf_insn &insn(uint32_t at) const { return section_.insns[at]; }

  // The lowest offset whose address the function takes: a helper may write to all above it. Spilled registers are
  // below.
  int shared_from() const {
    int lowest = 0;
    for (uint32_t at = function_.first; at < end(); ++at) {
      const bool copy = insn(at).code == (BPF_ALU64 | BPF_MOV | BPF_X) && insn(at).src_reg == kFrame;
      if (copy) lowest = std::min(lowest, offset_of_copy(at));
    }
    return lowest;
  }

  // What is added to the copy of the frame pointer that is made here; the whole frame if that cannot be said.
  int offset_of_copy(uint32_t copy) const {
    const auto target = insn(copy).dst_reg;
    for (uint32_t at = copy + 1; at < end(); ++at) {
      const bpf_insn &one = insn(at);
      if (one.code == (BPF_ALU64 | BPF_ADD | BPF_K) && one.dst_reg == target) return one.imm;
      const bool jump = BPF_CLASS(one.code) == BPF_JMP || BPF_CLASS(one.code) == BPF_JMP32;
      if (jump || one.dst_reg == target || one.src_reg == target) break;
    }
    return kWholeFrame;
  }

  uint32_t end() const { return function_.first + function_.count; }

  void go(int64_t at, const State &state) {
    const int64_t index = at - function_.first;
    if (index < 0 || index >= function_.count) return;
    auto &before = before_[static_cast<size_t>(index)];
    if (before && !before->meet(state)) return;
    if (!before) before = state;
    todo_.push_back(static_cast<uint32_t>(at));
  }

  void step(uint32_t at, State state) {
    const uint8_t kind = BPF_CLASS(insn(at).code);
    if (kind == BPF_JMP || kind == BPF_JMP32) return jump(at, state);
    const bool two = insn(at).code == (BPF_LD | BPF_IMM | BPF_DW);
    if (kind == BPF_ALU || kind == BPF_ALU64) calculate(at, state);
    if (kind == BPF_LD) load_constant(at, state);
    if (kind == BPF_LDX) load(at, state);
    if (kind == BPF_ST || kind == BPF_STX) store(at, state);
    go(int64_t{at} + (two ? 2 : 1), state);
  }

  // The constant in an instruction, as libbpf leaves it there.
  Value constant(uint32_t at) const {
    const auto answer = answers_.find(at);
    if (answer != answers_.end()) return answer->second;
    if (section_.addresses.count(at)) return {};
    return static_cast<uint64_t>(int64_t{insn(at).imm});
  }

  void calculate(uint32_t at, State &state) const {
    const bpf_insn &one = insn(at);
    const bool wide = BPF_CLASS(one.code) == BPF_ALU64;
    const Value operand = BPF_SRC(one.code) == BPF_X ? state.registers[one.src_reg] : constant(at);
    Value &target = state.registers[one.dst_reg];
    if (BPF_OP(one.code) == BPF_MOV) {
      target = one.off == 0 ? operand : std::nullopt;  // with an offset it extends the sign
    } else if (target && (operand || BPF_OP(one.code) == BPF_NEG)) {
      target = compute(BPF_OP(one.code), wide, *target, operand.value_or(0));
    } else {
      target.reset();
    }
    if (target && !wide) target = static_cast<uint32_t>(*target);
  }

  void load_constant(uint32_t at, State &state) const {
    const bpf_insn &one = insn(at);
    if (one.code != (BPF_LD | BPF_IMM | BPF_DW)) {  // from a packet: into r0, spoils the arguments
      std::fill_n(state.registers.begin(), BPF_REG_6, std::nullopt);
      return;
    }
    Value value = constant(at);
    if (value && !answers_.count(at))
      value = static_cast<uint32_t>(one.imm) | static_cast<uint64_t>(static_cast<uint32_t>(insn(at + 1).imm)) << 32;
    state.registers[one.dst_reg] = one.src_reg == 0 ? value : std::nullopt;
  }

  void load(uint32_t at, State &state) const {
    const bpf_insn &one = insn(at);
    const auto slot = state.slots.find(one.off);
    const bool known = one.src_reg == kFrame && BPF_SIZE(one.code) == BPF_DW && slot != state.slots.end();
    state.registers[one.dst_reg] = known ? Value(slot->second) : std::nullopt;
  }

  void store(uint32_t at, State &state) const {
    const bpf_insn &one = insn(at);
    const bool plain = BPF_MODE(one.code) == BPF_MEM;
    if (one.dst_reg == kFrame)
      state.spoil(one.off, one.off + kWord);
    else
      state.spoil(shared_, 0);
    const Value value = BPF_CLASS(one.code) == BPF_ST ? constant(at) : state.registers[one.src_reg];
    if (plain && one.dst_reg == kFrame && BPF_SIZE(one.code) == BPF_DW && value) state.slots[one.off] = *value;
    if (!plain) state.registers[one.src_reg].reset(), state.registers[BPF_REG_0].reset();  // an atomic exchange
  }

  void jump(uint32_t at, State &state) {
    const bpf_insn &one = insn(at);
    const uint8_t op = BPF_OP(one.code);
    const bool wide = BPF_CLASS(one.code) == BPF_JMP;
    if (op == BPF_EXIT) return;
    if (op == BPF_CALL) {
      std::fill_n(state.registers.begin(), BPF_REG_6, std::nullopt);
      state.spoil(shared_, 0);
      return go(int64_t{at} + 1, state);
    }
    if (op == BPF_JA) return go(int64_t{at} + 1 + (wide ? one.off : one.imm), state);
    const Value a = state.registers[one.dst_reg];
    const Value b = BPF_SRC(one.code) == BPF_X ? state.registers[one.src_reg] : constant(at);
    const std::optional<bool> taken = a && b ? compare(op, wide, *a, *b) : std::nullopt;
    if (taken != true) go(int64_t{at} + 1, state);
    if (taken != false) go(int64_t{at} + 1 + one.off, state);
  }

  const Section &section_;
  const Function &function_;
  const Answers &answers_;
  std::vector<std::optional<State>> before_;
  std::vector<uint32_t> todo_;
  int shared_;
};

}  // namespace

std::vector<bool> reached(const Section &section, const Function &function, const Answers &answers) {
  return Walk(section, function, answers).run();
}

}  // namespace btfcheck
