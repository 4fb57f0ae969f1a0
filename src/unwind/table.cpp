// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/table.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "sym/elf.h"
#include "unwind/go_table.h"

namespace strata {
namespace {

constexpr uint64_t kMostPages = 1 << 16;  // 4 GiB of text
constexpr uint64_t kPageBytes = 1 << UNWIND_PAGE_SHIFT;

struct Text {
  uint64_t from = UINT64_MAX, to = 0;
};

Text text_of(const ElfFile &elf) {
  Text text;
  for (const ElfFile::Segment &one : elf.segments()) {
    if (one.bytes == 0 || one.address + one.bytes < one.address) continue;
    text.from = std::min(text.from, one.address);
    text.to = std::max(text.to, one.address + one.bytes);
  }
  return text;
}

// What holds for [from, to), whatever was said of it.
void set_rule(std::vector<UnwindRow> &rows, uint64_t from, uint64_t to, uint16_t rule) {
  const auto first = std::ranges::lower_bound(rows, from, {}, &UnwindRow::address);
  const auto last = std::ranges::upper_bound(rows, to, {}, &UnwindRow::address);
  const uint16_t after = last == rows.begin() ? uint16_t{UNWIND_RULE_NONE} : last[-1].rule;
  const UnwindRow set[] = {{.address = from, .rule = rule}, {.address = to, .rule = after}};
  rows.insert(rows.erase(first, last), std::begin(set), std::end(set));
}

// The kernel goes to a file's entry, which so has no caller; that of the dynamic loader, in assembler, has no rows that
// say it, or says it an instruction later.
void add_entry(CallFrames &frames, uint64_t entry, UnwindRules &rules) {
  constexpr uint64_t kMostBytes = 64;
  if (entry == 0) return;
  const auto next = std::ranges::upper_bound(frames.rows, entry, {}, &UnwindRow::address);
  const uint64_t end = next == frames.rows.end() ? entry + kMostBytes : std::min(next->address, entry + kMostBytes);
  set_rule(frames.rows, entry, end, rules.number({.cfa = UNWIND_END}));
}

// A library is not begun anywhere, but older linkers took its first function for the entry, as that of arm64's vDSO in
// Linux 5.10 (clock_gettime). That has rows, and none that says it has no caller.
bool is_called(const CallFrames &frames, const ElfFile &elf, const UnwindRules &rules) {
  if (!elf.moves() || elf.interpreted()) return false;
  const auto function = std::ranges::find(frames.functions, elf.entry(), &UnwindFunction::from);
  if (function == frames.functions.end()) return false;
  return std::ranges::none_of(frames.rows, [&](const UnwindRow &row) {
    return row.address >= function->from && row.address < function->to && rules.all()[row.rule].cfa == UNWIND_END;
  });
}

// Where handlers of signals return to, of which arm64's kernel says nothing since 5.8: mov x8, #139; svc #0. In the
// vDSO, and in musl. They return to it without a call, so that its row begins an instruction before; and a thread
// within the call stands behind the svc.
void add_signal_returns(CallFrames &frames, const ElfFile &elf, UnwindRules &rules) {
  constexpr uint64_t kMostBytes = 1 << 20, kInstruction = 4, kReturn = 0xd4000001'd2801168;
  for (const ElfFile::Segment &segment : elf.segments()) {
    if (segment.bytes > kMostBytes) continue;
    const std::vector<std::byte> code = elf.code(segment);
    for (uint64_t at = 0; at + sizeof(kReturn) <= code.size(); at += kInstruction)
      if (memcmp(&code[at], &kReturn, sizeof(kReturn)) == 0)
        set_rule(frames.rows, segment.address + at - kInstruction,
                 segment.address + at + sizeof(kReturn) + kInstruction, rules.number({.cfa = UNWIND_SIGNAL}));
  }
}

// What the dynamic loader is to put at an address, as R_X86_64_RELATIVE has it; 0: nothing.
uint64_t relocated(const ElfFile &elf, uint64_t address) {
  const ElfFile::Section section = elf.section(".rela.dyn");
  Elf64_Rela one;
  for (size_t at = 0; at + sizeof(one) <= section.bytes.size(); at += sizeof(one)) {
    memcpy(&one, &section.bytes[at], sizeof(one));
    if (one.r_offset == address) return static_cast<uint64_t>(one.r_addend);
  }
  return 0;
}

// Go's, beside those of C, if there are any.
void add_go(CallFrames &frames, const ElfFile &elf, UnwindRules &rules) {
  const GoData data = find_go_data(elf);
  const CallFrames go = read_go_table(data.bytes, data.text, rules);
  if (!go.rows.empty()) frames = joined_frames(frames, go);
}

// Rows of the page from `address` on; the next page begins with the rule that is left.
uint16_t add_page(UnwindTable &table, const std::vector<UnwindRow> &rows, size_t &next, uint64_t address,
                  uint16_t before) {
  unwind_page page = {.first = static_cast<uint32_t>(table.rows.size()), .before = before};
  for (; next < rows.size() && rows[next].address - address < kPageBytes; next++) {
    before = rows[next].rule;
    if (page.rows == UNWIND_ROWS) continue;
    table.rows.push_back(UNWIND_ROW(rows[next].address, before));
    page.rows++;
  }
  if (page.rows == UNWIND_ROWS) {  // more than any compiler makes: what is left out would be taken for something else
    table.rows.resize(page.first);
    page.rows = 0;
    page.before = UNWIND_RULE_UNSUPPORTED;
  }
  table.pages.push_back(page);
  return before;
}

}  // namespace

GoData find_go_data(const ElfFile &elf) {
  if (elf.narrow() || elf.section(".go.buildinfo").bytes.empty()) return {};
  for (const char *name : {".gopclntab", ".data.rel.ro.gopclntab", ".data.rel.ro"}) {
    ElfFile::Section section = elf.section(name);
    const auto at = find_go_table(section.bytes);
    if (!at) continue;
    section.bytes.erase(section.bytes.begin(), section.bytes.begin() + static_cast<ptrdiff_t>(*at));
    return {.bytes = std::move(section.bytes), .text = relocated(elf, section.address + *at + kGoTextAt)};
  }
  return {};
}

UnwindTable read_unwind_table(const ElfFile &elf, UnwindRules &rules) {
  UnwindTable table;
  const Text text = text_of(elf);
  if (elf.narrow() || text.from >= text.to) return table;
  const uint64_t first = text.from >> UNWIND_PAGE_SHIFT, last = (text.to - 1) >> UNWIND_PAGE_SHIFT;
  if (last - first >= kMostPages) {
    table.why_not_all = "its code is too large";
    return table;
  }
  const ElfFile::Section section = elf.section(".eh_frame");
  CallFrames frames = read_eh_frame(section.bytes, section.address, rules);
  table.why_not_all = section.why_not.empty() ? frames.why_not_all : section.why_not;
  if (kOwnRegisters.linked) {
    add_signal_returns(frames, elf, rules);
  } else {
    add_go(frames, elf, rules);
  }
  const bool begins = !is_called(frames, elf, rules);
  table.functions = std::move(frames.functions);
  if (frames.rows.empty()) return table;
  if (begins) add_entry(frames, elf.entry(), rules);
  table.first_page = first;
  uint16_t rule = UNWIND_RULE_NONE;
  size_t next = 0;
  for (; next < frames.rows.size() && frames.rows[next].address < first * kPageBytes; next++)
    rule = frames.rows[next].rule;
  for (uint64_t page = first; page <= last; page++) rule = add_page(table, frames.rows, next, page * kPageBytes, rule);
  return table;
}

uint16_t find_rule(const UnwindTable &table, uint64_t address) {
  const uint64_t number = (address >> UNWIND_PAGE_SHIFT) - table.first_page;
  if (number >= table.pages.size()) return UNWIND_RULE_NONE;
  const unwind_page &page = table.pages[number];
  const auto from = table.rows.begin() + page.first, to = from + page.rows;
  const auto after = std::upper_bound(from, to, UNWIND_ROW(address, 0xffff));
  return static_cast<uint16_t>(after == from ? page.before : UNWIND_ROW_RULE(after[-1]));
}

std::optional<uint64_t> function_of(const UnwindTable &table, const UnwindRules &rules, uint64_t address) {
  const auto after = std::ranges::upper_bound(table.functions, address, {}, &UnwindFunction::from);
  if (after == table.functions.begin() || address >= after[-1].to) return std::nullopt;
  if (rules.all()[find_rule(table, after[-1].from)].cfa == UNWIND_SIGNAL) return std::nullopt;
  return after[-1].from;
}

bool may_return_from(const UnwindTable &table, const UnwindRules &rules, uint64_t address) {
  const unwind_rule &rule = rules.all()[find_rule(table, address)];
  if (rule.cfa == UNWIND_NONE || rule.cfa == UNWIND_UNSUPPORTED) return true;
  const bool linked = kOwnRegisters.linked;
  return rule.cfa == UNWIND_SP && (linked ? rule.return_offset == 0 : rule.cfa_offset == sizeof(uint64_t));
}

}  // namespace strata
