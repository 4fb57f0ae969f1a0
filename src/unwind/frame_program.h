// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The instructions of call frame information: how the frame of a function changes from address to address. Of the
// caller's registers those alone that a walk needs: stack pointer, frame pointer and the return address.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "lib/user/unwind_wire.h"
#include "unwind/cursor.h"
#include "unwind/registers.h"

namespace strata {

// Where the caller's value of a register is.
struct SavedRegister {
  enum How { kSame, kAtCfa, kAtFp, kInRdi, kUndefined, kOther } how = kSame;
  int64_t offset = 0;
};

struct Frame {
  explicit Frame(const UnwindRegisters &registers)
      : return_address{.how = registers.linked ? SavedRegister::kSame : SavedRegister::kOther} {}

  bool by_register = false;  // the frame begins at register + offset, or else as `expression` says
  uint64_t cfa_register = 0;
  int64_t cfa_offset = 0;
  unwind_rule expression = {.cfa = UNWIND_UNSUPPORTED};
  SavedRegister fp, return_address;

  [[nodiscard]] unwind_rule rule(const UnwindRegisters &registers) const;
};

struct FrameProgram {
  const UnwindRegisters &registers;
  uint64_t code_factor;
  int64_t data_factor;
  const Frame *initial;  // what DW_CFA_restore goes back to; nullptr: nothing does yet
  // Reads the new address of DW_CFA_set_loc.
  std::function<std::optional<uint64_t>(Cursor &)> address;
  // Called with a frame that holds for [from, to).
  std::function<void(const Frame &frame, uint64_t from, uint64_t to)> each = nullptr;

  // From `location` on; where it got to. Instructions that nobody knows end it: the frame is then unsupported.
  uint64_t run(Cursor instructions, uint64_t location, Frame &frame) const;
};

}  // namespace strata
