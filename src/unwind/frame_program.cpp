// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/frame_program.h"

#include <algorithm>
#include <array>
#include <limits>

namespace strata {
namespace {

constexpr uint64_t kRdi = 5;  // as DWARF numbers it on x86-64
constexpr size_t kMostRemembered = 16;

enum Instruction : uint8_t {  // DWARF 5, 7.24; the first three have an operand in their lower 6 bits
  kAdvance = 0x40,
  kOffset = 0x80,
  kRestore = 0xc0,
  kNop = 0x00,
  kSetLocation,
  kAdvance1,
  kAdvance2,
  kAdvance4,
  kOffsetExtended,
  kRestoreExtended,
  kUndefined,
  kSameValue,
  kRegister,
  kRememberState,
  kRestoreState,
  kDefineCfa,
  kDefineCfaRegister,
  kDefineCfaOffset,
  kDefineCfaExpression,
  kExpression,
  kOffsetExtendedSigned,
  kDefineCfaSigned,
  kDefineCfaOffsetSigned,
  kValueOffset,
  kValueOffsetSigned,
  kValueExpression,
  kNegateReturnState = 0x2d,  // of arm64: from here on the return address is signed, or not
  kGnuArgsSize = 0x2e,
};

enum Operation : uint8_t {  // DWARF 5, 7.7.1
  kDeref = 0x06,
  kPlus = 0x22,
  kPlusConstant = 0x23,
  kLiteral0 = 0x30,
  kLiteral31 = 0x4f,
  kBaseRegister0 = 0x70,
};

template <typename Narrow>
bool fits(int64_t number) {
  return number >= std::numeric_limits<Narrow>::min() && number <= std::numeric_limits<Narrow>::max();
}

// (rsp + 8) + ((rip & 15) >= n) * 8, as linkers say it of the stubs by which a program calls libraries.
std::optional<unwind_rule> plt_rule(std::span<const std::byte> expression) {
  constexpr uint8_t kStub[] = {0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0, 0x2a, 0x33, 0x24, 0x22};
  constexpr size_t kLiteralAt = 6;
  if (expression.size() != std::size(kStub)) return std::nullopt;
  for (size_t i = 0; i < std::size(kStub); i++)
    if (i != kLiteralAt && expression[i] != std::byte{kStub[i]}) return std::nullopt;
  const auto literal = static_cast<uint8_t>(expression[kLiteralAt]);
  if (literal < kLiteral0 || literal > kLiteral31) return std::nullopt;
  return unwind_rule{.cfa = UNWIND_PLT, .cfa_added = static_cast<int16_t>(literal - kLiteral0)};
}

// register + n, or *(register + n) + m.
unwind_rule cfa_rule(std::span<const std::byte> expression, const UnwindRegisters &registers) {
  constexpr unwind_rule kUnsupported = {.cfa = UNWIND_UNSUPPORTED};
  if (registers.linked) return kUnsupported;
  if (const auto plt = plt_rule(expression)) return *plt;
  Cursor in(expression);
  const unsigned base = in.byte() - kBaseRegister0;
  const int64_t offset = in.sleb();
  if ((base != registers.fp && base != registers.sp) || !in.good() || !fits<int32_t>(offset)) return kUnsupported;
  unwind_rule rule = {.cfa = static_cast<uint8_t>(base == registers.sp ? UNWIND_SP : UNWIND_FP),
                      .cfa_offset = static_cast<int32_t>(offset)};
  if (in.done()) return rule;
  if (in.byte() != kDeref) return kUnsupported;
  rule.cfa = base == registers.sp ? UNWIND_SP_LOAD : UNWIND_FP_LOAD;
  if (in.done()) return rule;
  uint64_t added = in.byte();
  if (added == kPlusConstant)
    added = in.uleb();
  else if (added >= kLiteral0 && added <= kLiteral31 && in.byte() == kPlus)
    added -= kLiteral0;
  else
    return kUnsupported;
  if (!in.good() || !in.done() || added > static_cast<uint64_t>(std::numeric_limits<int16_t>::max()))
    return kUnsupported;
  rule.cfa_added = static_cast<int16_t>(added);
  return rule;
}

// Its address is FP + n: where a function aligned its stack and keeps the caller's in another register.
SavedRegister saved_by(std::span<const std::byte> expression, const UnwindRegisters &registers) {
  Cursor in(expression);
  const bool by_fp = in.byte() == kBaseRegister0 + registers.fp;
  const int64_t offset = in.sleb();
  if (!by_fp || !in.good() || !in.done()) return {.how = SavedRegister::kOther};
  return {.how = SavedRegister::kAtFp, .offset = offset};
}

// The state of a run.
class Run {
 public:
  Run(const FrameProgram &program, Cursor in, uint64_t location, Frame &frame)
      : program_(program), in_(in), location_(location), frame_(frame) {}

  uint64_t all() {
    while (!in_.done()) {
      if (step() && in_.good()) continue;
      frame_ = Frame(program_.registers);
      frame_.return_address = {.how = SavedRegister::kOther};
      break;
    }
    return location_;
  }

 private:
  // False of an instruction that cannot be done.
  bool step() {
    const uint8_t instruction = in_.byte(), low = instruction & 0x3f;
    switch (instruction & 0xc0) {
      case kAdvance:
        return advance(low);
      case kOffset:
        return save(low, {.how = SavedRegister::kAtCfa, .offset = factored(in_.uleb())});
      case kRestore:
        return restore(low);
      default:
        return instruction <= kAdvance4 ? move(instruction) : change(instruction);
    }
  }

  bool move(uint8_t instruction) {
    switch (instruction) {
      case kNop:
        return true;
      case kSetLocation:
        if (const std::optional<uint64_t> to = program_.address(in_)) return move_to(*to);
        return false;
      case kAdvance1:
        return advance(in_.byte());
      case kAdvance2:
        return advance(in_.number<uint16_t>());
      default:
        return advance(in_.number<uint32_t>());
    }
  }

  bool change(uint8_t instruction) {
    switch (instruction) {
      case kRememberState:
        if (remembered_.size() == kMostRemembered) return false;
        remembered_.push_back(frame_);
        return true;
      case kRestoreState:
        if (remembered_.empty()) return false;
        frame_ = remembered_.back();
        remembered_.pop_back();
        return true;
      case kNegateReturnState:
        return program_.registers.linked;
      case kGnuArgsSize:
        (void)in_.uleb();
        return true;
      default:
        return instruction >= kDefineCfa && instruction <= kDefineCfaOffsetSigned && instruction != kExpression &&
                       instruction != kOffsetExtendedSigned
                   ? change_cfa(instruction)
                   : change_register(instruction);
    }
  }

  bool change_cfa(uint8_t instruction) {
    const bool new_register =
        instruction == kDefineCfa || instruction == kDefineCfaSigned || instruction == kDefineCfaRegister;
    if (instruction == kDefineCfaExpression) {
      frame_.expression = cfa_rule(in_.take(in_.uleb()), program_.registers);
      frame_.by_register = false;
      return true;
    }
    if (new_register) frame_.cfa_register = in_.uleb();
    frame_.by_register |= new_register;
    if (instruction == kDefineCfa || instruction == kDefineCfaOffset)
      frame_.cfa_offset = static_cast<int64_t>(in_.uleb());
    else if (instruction == kDefineCfaSigned || instruction == kDefineCfaOffsetSigned)
      frame_.cfa_offset = factored(static_cast<uint64_t>(in_.sleb()));
    return true;
  }

  bool change_register(uint8_t instruction) {
    const uint64_t number = in_.uleb();
    switch (instruction) {
      case kOffsetExtended:
        return save(number, {.how = SavedRegister::kAtCfa, .offset = factored(in_.uleb())});
      case kOffsetExtendedSigned:
        return save(number, {.how = SavedRegister::kAtCfa, .offset = factored(static_cast<uint64_t>(in_.sleb()))});
      case kRestoreExtended:
        return restore(number);
      case kUndefined:
        return save(number, {.how = SavedRegister::kUndefined});
      case kSameValue:
        return save(number, {.how = SavedRegister::kSame});
      case kExpression:
        return save(number, saved_by(in_.take(in_.uleb()), program_.registers));
      case kValueExpression:
        (void)in_.take(in_.uleb());
        return save(number, {.how = SavedRegister::kOther});
      case kRegister:
        return save(number, {.how = in_.uleb() == kRdi && !program_.registers.linked ? SavedRegister::kInRdi
                                                                                     : SavedRegister::kOther});
      case kValueOffset:
      case kValueOffsetSigned:
        (void)in_.uleb();
        return save(number, {.how = SavedRegister::kOther});
      default:
        return false;
    }
  }

  [[nodiscard]] int64_t factored(uint64_t number) const {  // as unsigned: another's numbers may overflow
    return static_cast<int64_t>(number * static_cast<uint64_t>(program_.data_factor));
  }

  bool save(uint64_t number, SavedRegister place) {
    if (number == program_.registers.fp) frame_.fp = place;
    if (number == program_.registers.return_address) frame_.return_address = place;
    return true;
  }

  bool restore(uint64_t number) {
    if (program_.initial == nullptr) return false;
    if (number == program_.registers.fp) frame_.fp = program_.initial->fp;
    if (number == program_.registers.return_address) frame_.return_address = program_.initial->return_address;
    return true;
  }

  bool advance(uint64_t steps) { return move_to(location_ + steps * program_.code_factor); }

  bool move_to(uint64_t location) {
    if (location < location_) return false;
    if (location > location_ && program_.each) program_.each(frame_, location_, location);
    location_ = location;
    return true;
  }

  const FrameProgram &program_;
  Cursor in_;
  uint64_t location_;
  Frame &frame_;
  std::vector<Frame> remembered_;
};

void set_fp(unwind_rule &rule, const SavedRegister &fp) {
  if (fp.how == SavedRegister::kSame) return;
  rule.fp = UNWIND_FP_LOST;
  if ((fp.how != SavedRegister::kAtCfa && fp.how != SavedRegister::kAtFp) || !fits<int32_t>(fp.offset)) return;
  rule.fp = fp.how == SavedRegister::kAtCfa ? UNWIND_FP_AT_CFA : UNWIND_FP_AT_FP;
  rule.fp_offset = static_cast<int32_t>(fp.offset);
}

}  // namespace

unwind_rule Frame::rule(const UnwindRegisters &registers) const {
  constexpr unwind_rule kUnsupported = {.cfa = UNWIND_UNSUPPORTED};
  if (return_address.how == SavedRegister::kUndefined) return {.cfa = UNWIND_END};
  const bool saved = return_address.how == SavedRegister::kAtCfa, in_rdi = return_address.how == SavedRegister::kInRdi;
  const bool is_known = registers.linked
                            ? return_address.how == SavedRegister::kSame ||
                                  (saved && return_address.offset != 0 && fits<int16_t>(return_address.offset))
                            : in_rdi || (saved && return_address.offset == -8);
  if (!is_known) return kUnsupported;
  unwind_rule rule = expression;
  if (by_register) {
    if ((cfa_register != registers.sp && cfa_register != registers.fp) || !fits<int32_t>(cfa_offset))
      return kUnsupported;
    rule = {.cfa = static_cast<uint8_t>(cfa_register == registers.sp ? UNWIND_SP : UNWIND_FP),
            .cfa_offset = static_cast<int32_t>(cfa_offset)};
  }
  if (registers.linked && saved) rule.return_offset = static_cast<int16_t>(return_address.offset);
  if (in_rdi) rule.cfa = rule.cfa == UNWIND_SP ? UNWIND_SP_RDI : UNWIND_UNSUPPORTED;
  if (rule.cfa != UNWIND_UNSUPPORTED) set_fp(rule, fp);
  return rule;
}

uint64_t FrameProgram::run(Cursor instructions, uint64_t location, Frame &frame) const {
  return Run(*this, instructions, location, frame).all();
}

}  // namespace strata
