// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as the call frame information of a program, and as what Go has in its place: a container's files are read
// by strata as root.
#include <span>

#include "fuzz.h"
#include "unwind/eh_frame.h"
#include "unwind/go_table.h"

namespace {

void judge(const strata::CallFrames &frames, const strata::UnwindRules &rules, size_t size) {
  strata::require(frames.rows.size() <= 2 * size && frames.functions.size() <= size / 8);
  for (size_t i = 0; i < frames.rows.size(); i++) {
    strata::require(frames.rows[i].rule < rules.all().size());
    strata::require(i == 0 || frames.rows[i - 1].address < frames.rows[i].address);
    strata::require(i == 0 || frames.rows[i - 1].rule != frames.rows[i].rule);
  }
  for (size_t i = 0; i < frames.functions.size(); i++) {
    strata::require(frames.functions[i].from < frames.functions[i].to);
    strata::require(i == 0 || frames.functions[i - 1].to <= frames.functions[i].from);
  }
  for (const unwind_rule &rule : rules.all()) strata::require(rule.cfa <= UNWIND_PLT && rule.fp <= UNWIND_FP_LOST);
}

void read_as(const strata::UnwindRegisters &registers, std::span<const uint8_t> data) {
  strata::UnwindRules rules;
  const auto frames = strata::read_eh_frame(std::as_bytes(data), 0x400000, rules, registers);
  strata::require(frames.rows.size() <= data.size());
  judge(frames, rules, data.size());
  const auto go = strata::read_go_table(std::as_bytes(data), 0x400000, rules);
  judge(go, rules, data.size());
  for (const strata::GoFunction &one : strata::read_go_names(std::as_bytes(data), 0x400000))
    strata::require(one.from < one.to && !one.name.empty());
  judge(strata::joined_frames(frames, go), rules, 2 * data.size());
}

}  // namespace

int fuzz_eh_frame(const uint8_t *data, size_t size) {
  read_as(strata::kX86Registers, {data, size});
  read_as(strata::kArm64Registers, {data, size});
  return 0;
}
