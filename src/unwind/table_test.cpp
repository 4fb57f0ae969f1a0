// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/table.h"

#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unwind.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/test.h"
#include "sym/elf.h"
#include "sym/mapped.h"

namespace strata {
namespace {

struct Registers {
  uint64_t ip, sp, fp, link;
};

#if defined(__x86_64__)
constexpr const char *kLoader = "/lib64/ld-linux-x86-64.so.2";

Registers registers_of(const ucontext_t &context) {
  const auto &all = context.uc_mcontext.gregs;
  return {.ip = static_cast<uint64_t>(all[REG_RIP]),
          .sp = static_cast<uint64_t>(all[REG_RSP]),
          .fp = static_cast<uint64_t>(all[REG_RBP]),
          .link = 0};
}
#else
constexpr const char *kLoader = "/lib/ld-linux-aarch64.so.1";

Registers registers_of(const ucontext_t &context) {
  const auto &all = context.uc_mcontext;
  return {.ip = all.pc, .sp = all.sp, .fp = all.regs[29], .link = all.regs[30]};
}
#endif

struct Walk {
  std::vector<uint64_t> addresses;
  bool ended = false;  // at a function that has no caller
};

uint64_t load(uint64_t address) {
  uint64_t word = 0;
  memcpy(&word, reinterpret_cast<const void *>(address), sizeof(word));
  return word;
}

uint64_t return_address(const unwind_rule &rule, uint64_t cfa, uint64_t link) {
  constexpr uint64_t kUnsigned = (uint64_t{1} << 48) - 1;
  if (!kOwnRegisters.linked) return load(cfa - sizeof(uint64_t));
  return rule.return_offset == 0 ? link : load(cfa + static_cast<uint64_t>(int64_t{rule.return_offset})) & kUnsigned;
}

// Its rows, and where it is mapped.
class MappedTable {
 public:
  MappedTable(Fd file, uint64_t base, UnwindRules &rules)
      : file_(std::move(file)), elf_(file_.get()), table_(read_unwind_table(elf_, rules)), base_(base) {}

  [[nodiscard]] const UnwindTable &table() const { return table_; }
  [[nodiscard]] const ElfFile &elf() const { return elf_; }
  [[nodiscard]] uint16_t find(uint64_t address) const { return find_rule(table_, address - base_); }

 private:
  Fd file_;
  ElfFile elf_;
  UnwindTable table_;
  uint64_t base_ = 0;
};

uint64_t base_of_this() {
  uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *found) {
        *static_cast<uint64_t *>(found) = info->dlpi_addr;
        return 1;
      },
      &base);
  return base;
}

// As a program walks a stack, but of this thread, and within this file and the vDSO, to which arm64's handlers return.
class Walker {
 public:
  [[nodiscard]] const UnwindTable &table() const { return this_.table(); }
  [[nodiscard]] const ElfFile &elf() const { return this_.elf(); }

  Walk walk(const ucontext_t &context) const {
    Walk all;
    Registers at = registers_of(context);
    for (bool called = true; all.addresses.size() < 1000;) {
      const uint64_t ip = at.ip - called;
      const uint16_t number = this_.find(ip) == UNWIND_RULE_NONE ? vdso_.find(ip) : this_.find(ip);
      const unwind_rule rule = rules_.all()[number];
      all.ended = rule.cfa == UNWIND_END;
      if (rule.cfa <= UNWIND_END) return all;
      called = rule.cfa != UNWIND_SIGNAL;
      if (called) {
        const uint64_t cfa = (rule.cfa == UNWIND_SP ? at.sp : at.fp) + static_cast<uint64_t>(int64_t{rule.cfa_offset});
        REQUIRE((rule.cfa == UNWIND_SP || rule.cfa == UNWIND_FP));
        at = {.ip = return_address(rule, cfa, at.link), .sp = cfa, .fp = at.fp, .link = 0};
        if (rule.fp == UNWIND_FP_AT_CFA) at.fp = load(cfa + static_cast<uint64_t>(int64_t{rule.fp_offset}));
      } else {
        at =
            registers_of(*reinterpret_cast<const ucontext_t *>(at.sp + (kOwnRegisters.linked ? sizeof(siginfo_t) : 0)));
      }
      all.addresses.push_back(at.ip);
    }
    return all;
  }

 private:
  UnwindRules rules_;
  MappedTable this_{Fd(open("/proc/self/exe", O_RDONLY | O_CLOEXEC)), base_of_this(), rules_};
  MappedTable vdso_{copy_of_vdso(), getauxval(AT_SYSINFO_EHDR), rules_};
};

const Walker *walker;
unsigned compared;

// The library that throws exceptions reads the same information in its own way.
void compare() {
  ucontext_t context;
  getcontext(&context);
  const Walk mine = walker->walk(context);
  std::vector<uint64_t> known;
  _Unwind_Backtrace(
      [](_Unwind_Context *at, void *to) {
        static_cast<std::vector<uint64_t> *>(to)->push_back(_Unwind_GetIP(at));
        return _URC_NO_REASON;
      },
      &known);
  known.erase(known.begin());  // here
  REQUIRE(mine.addresses.size() >= 2);
  if (walker->elf().interpreted()) {  // its libraries have tables of their own: as far as this file goes
    REQUIRE(known.size() >= mine.addresses.size());
    known.resize(mine.addresses.size());
  } else {
    CHECK(mine.ended);
    if (!known.empty() && known.back() == 0) known.pop_back();
  }
  CHECK(mine.addresses == known);
  compared++;
}

int compare_numbers(const void *a, const void *b) {
  if (compared == 0) compare();
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

TEST_CASE("unwind table of this program: each frame, through the C library and a signal") {
  const Walker self;
  walker = &self;
  CHECK(self.table().why_not_all.empty());
  CHECK(self.table().functions.size() > 1000);
  int numbers[] = {5, 2, 3, 7};
  compared = 0;
  qsort(numbers, std::size(numbers), sizeof(numbers[0]), compare_numbers);
  CHECK(compared == 1);
  struct sigaction action = {}, before = {};
  action.sa_handler = [](int) { compare(); };
  REQUIRE(sigaction(SIGUSR1, &action, &before) == 0);
  raise(SIGUSR1);
  REQUIRE(sigaction(SIGUSR1, &before, nullptr) == 0);
  CHECK(compared == 2);
}

TEST_CASE("unwind table: where a program begins there is no caller, though the dynamic loader does not say so") {
  const Fd file(open(kLoader, O_RDONLY | O_CLOEXEC));
  const ElfFile elf(file.get());
  REQUIRE(elf.valid());
  UnwindRules rules;
  const UnwindTable table = read_unwind_table(elf, rules);
  CHECK(rules.all()[find_rule(table, elf.entry())].cfa == UNWIND_END);
  CHECK(rules.all()[find_rule(table, elf.entry() + 7)].cfa == UNWIND_END);
  CHECK(rules.all()[find_rule(table, elf.entry() + 128)].cfa != UNWIND_END);
}

TEST_CASE("unwind table: functions of the vDSO have callers, the first one too") {
  const Fd file = copy_of_vdso();
  const ElfFile elf(file.get());
  REQUIRE(elf.valid());
  UnwindRules rules;
  const UnwindTable table = read_unwind_table(elf, rules);
  CHECK(table.functions.size() > 1);
  for (const UnwindFunction &one : table.functions) CHECK(rules.all()[find_rule(table, one.from)].cfa != UNWIND_END);
}

TEST_CASE("unwind table: where functions begin, and from which a call returns") {
  const Walker self;
  UnwindRules rules;
  const UnwindTable table = read_unwind_table(self.elf(), rules);
  size_t returning = 0, parts = 0, signals = 0;
  for (const UnwindFunction &one : table.functions) {
    const bool signal = rules.all()[find_rule(table, one.from)].cfa == UNWIND_SIGNAL;
    signals += signal;
    returning += may_return_from(table, rules, one.from);
    for (uint64_t at = one.from; at < one.to && at < one.from + 16; at++)
      REQUIRE(function_of(table, rules, at) == (signal ? std::nullopt : std::optional(one.from)));
    parts += one.to - one.from > 64 && !may_return_from(table, rules, one.from + 32);
  }
  CHECK(returning > table.functions.size() / 2);
  CHECK(returning < table.functions.size());  // _start, parts
  CHECK(parts > 100);
  if (!self.elf().interpreted()) CHECK(signals == (kOwnRegisters.linked ? 0 : 1));  // arm64's is the vDSO's
  CHECK_FALSE(may_return_from(table, rules, self.elf().entry()));
  CHECK_FALSE(function_of(table, rules, table.functions.front().from - 1));
  CHECK_FALSE(function_of(table, rules, UINT64_MAX));
}

TEST_CASE("unwind table: what a page says is what the rows say") {
  const Walker self;
  UnwindRules rules;
  const ElfFile::Section section = self.elf().section(".eh_frame");
  const CallFrames frames = read_eh_frame(section.bytes, section.address, rules);
  REQUIRE(frames.rows.size() > 10'000);
  size_t wrong = 0;
  for (size_t i = 0; i + 1 < frames.rows.size(); i++) {
    if (frames.rows[i].address == self.elf().entry()) continue;  // it has no caller, whatever they say
    wrong += find_rule(self.table(), frames.rows[i].address) != frames.rows[i].rule;
    wrong += find_rule(self.table(), frames.rows[i + 1].address - 1) != frames.rows[i].rule;
  }
  CHECK(wrong == 0);
  CHECK(find_rule(self.table(), frames.rows.back().address) == UNWIND_RULE_NONE);
  CHECK(find_rule(self.table(), UINT64_MAX) == UNWIND_RULE_NONE);
}

}  // namespace
}  // namespace strata
