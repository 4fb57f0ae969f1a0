// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/go_table.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "unwind/cursor.h"

namespace strata {
namespace {

constexpr uint32_t kGo118 = 0xfffffff0, kGo120 = 0xfffffff1;

// Functions that end a stack, as Go's own traceback has it; at whose beginning a stack goes on without a call, after a
// handler of signals and where C has called Go; and that call on another stack, with the frame pointer of where they
// were called, or their own.
constexpr std::string_view kOutermost[] = {"runtime.goexit", "runtime.mstart", "runtime.mcall", "runtime.morestack",
                                           "runtime.rt0_go"};
constexpr std::string_view kSignalReturns[] = {"runtime.sigreturn", "runtime.sigreturn__sigaction"};
constexpr std::string_view kResumed = "runtime.systemstack_switch";
constexpr std::string_view kSwitches[] = {"runtime.systemstack", "runtime.asmcgocall", "runtime.nanotime1",
                                          "runtime.walltime", "time.now"};

constexpr uint8_t kHead[] = {0xff, 0xff, 0xff, 0, 0, 1, 8};  // after the first byte: instructions of 1, pointers of 8

bool is_one(std::span<const std::string_view> names, std::string_view name) {
  if (name.ends_with(".abi0")) name.remove_suffix(5);
  return std::ranges::find(names, name) != names.end();
}

// A function's frame lies above the return address's place, and begins with the caller's frame pointer.
constexpr unwind_rule kByFramePointer = {
    .cfa = UNWIND_FP, .fp = UNWIND_FP_AT_CFA, .cfa_added = 0, .cfa_offset = 16, .fp_offset = -16};

unwind_rule rule_of(uint32_t frame) {
  if (frame > INT32_MAX - 8) return {.cfa = UNWIND_UNSUPPORTED};
  unwind_rule rule = {.cfa = UNWIND_SP, .cfa_offset = static_cast<int32_t>(frame) + 8};
  if (frame != 0) rule.fp = UNWIND_FP_AT_CFA, rule.fp_offset = -16;
  return rule;
}

// The functions that the bytes tell of.
class GoFunctions {
 public:
  GoFunctions(std::span<const std::byte> bytes, uint64_t text) : bytes_(bytes), text_(text) {}

  struct One {
    uint64_t from, to;
    std::string_view name;
    uint64_t steps;  // where they are; 0: in C
  };
  template <typename Each>
  void each(const Each &each) {
    if (!read_head()) return;
    Cursor functions(bytes_, at_functions_);
    uint64_t from = functions.number<uint32_t>(), at = functions.number<uint32_t>();
    for (uint64_t i = 0; i < count_ && functions.good(); i++) {  // the last entry is where code ends
      const uint64_t to = functions.number<uint32_t>(), next = functions.number<uint32_t>();
      const std::optional<One> one = function(text_ + from, text_ + to, at_functions_ + at);
      if (to < from) break;
      if (functions.good() && to > from && one) each(*one);
      from = to, at = next;
    }
  }

 private:
  bool read_head() {
    Cursor head(bytes_);
    const auto magic = head.number<uint32_t>();
    head.take(2);
    const uint8_t quantum = head.byte(), pointer = head.byte();
    if ((magic != kGo118 && magic != kGo120) || quantum != 1 || pointer != 8) return false;
    count_ = head.number<uint64_t>();
    head.number<uint64_t>();  // files
    if (const auto text = head.number<uint64_t>(); text != 0) text_ = text;
    at_names_ = head.number<uint64_t>();
    head.number<uint64_t>();  // units
    head.number<uint64_t>();  // names of files
    at_steps_ = head.number<uint64_t>();
    at_functions_ = head.number<uint64_t>();
    return head.good() && text_ - 1 < UINT64_MAX / 2 && at_names_ < bytes_.size() && at_steps_ < bytes_.size() &&
           at_functions_ < bytes_.size();
  }

  [[nodiscard]] std::optional<One> function(uint64_t from, uint64_t to, uint64_t at) const {
    if (at >= bytes_.size()) return std::nullopt;
    Cursor function(bytes_, at);
    function.number<uint32_t>();  // where it begins, once more
    const uint64_t name = function.number<uint32_t>();
    function.take(8);
    const uint64_t steps = function.number<uint32_t>();
    if (!function.good()) return std::nullopt;
    const std::string_view text = name_at(at_names_ + name);
    // A return address is looked for in the byte before it.
    const bool not_called = is_one(kSignalReturns, text) || is_one({&kResumed, 1}, text);
    return One{
        .from = not_called ? from - 1 : from, .to = to, .name = text, .steps = steps == 0 ? 0 : at_steps_ + steps};
  }

  [[nodiscard]] std::string_view name_at(uint64_t at) const {
    constexpr size_t kMost = 1024;
    if (at >= bytes_.size()) return {};
    const auto rest = bytes_.subspan(at, std::min(kMost, bytes_.size() - at));
    const std::string_view text(reinterpret_cast<const char *>(rest.data()), rest.size());
    return text.substr(0, text.find('\0'));
  }

  std::span<const std::byte> bytes_;
  uint64_t text_;
  uint64_t count_ = 0, at_names_ = 0, at_steps_ = 0, at_functions_ = 0;
};

class GoTable {
 public:
  GoTable(std::span<const std::byte> bytes, UnwindRules &rules)
      : bytes_(bytes), rules_(rules), steps_left_(bytes.size()) {}

  CallFrames read(uint64_t text) {
    GoFunctions(bytes_, text).each([this](const GoFunctions::One &one) { add_function(one); });
    return std::move(frames_);
  }

 private:
  void add_function(const GoFunctions::One &one) {
    const auto [from, to, name, steps] = one;
    if (is_one(kSignalReturns, name)) {
      add_row(from, {.cfa = UNWIND_SIGNAL});
    } else if (is_one({&kResumed, 1}, name)) {
      add_row(from, rule_of(0));
    } else if (is_one(kOutermost, name)) {
      add_row(from, {.cfa = UNWIND_END});
    } else if (steps == 0) {
      return;  // in C
    } else {
      add_steps(from, to, steps, is_one(kSwitches, name));
    }
    std::vector<UnwindFunction> &all = frames_.functions;
    if (!all.empty()) all.back().to = std::min(all.back().to, from);
    if (!all.empty() && all.back().from >= from) all.pop_back();
    all.push_back({.from = from, .to = to});
    add_row(to, {.cfa = UNWIND_NONE});
  }

  // Of how many bytes its frame is, from where on: differences of either, the first of -1.
  void add_steps(uint64_t from, uint64_t to, uint64_t at, bool switches) {
    if (at >= bytes_.size()) return;
    Cursor steps(bytes_, at);
    const bool framed = has_frame(steps);
    uint32_t frame = UINT32_MAX;
    for (uint64_t address = from; address < to && steps_left_ > 0; steps_left_--) {
      const uint64_t change = steps.uleb(), bytes = steps.uleb();
      if (!steps.good() || bytes == 0 || bytes > to - address || (change == 0 && address != from)) break;
      frame += static_cast<uint32_t>(change & 1 ? ~(change >> 1) : change >> 1);
      add_row(address, switches && (frame != 0 || !framed) ? kByFramePointer : rule_of(frame));
      address += bytes;
    }
  }

  // Is there any but of no bytes?
  static bool has_frame(Cursor steps) {
    steps.uleb();
    steps.uleb();
    return steps.uleb() != 0 && steps.good();
  }

  void add_row(uint64_t address, const unwind_rule &rule) {
    std::vector<UnwindRow> &rows = frames_.rows;
    const uint16_t number = rule.cfa == UNWIND_NONE ? uint16_t{UNWIND_RULE_NONE} : rules_.number(rule);
    while (!rows.empty() && rows.back().address >= address) rows.pop_back();
    if (rows.empty() ? number != UNWIND_RULE_NONE : rows.back().rule != number)
      rows.push_back({.address = address, .rule = number});
  }

  std::span<const std::byte> bytes_;
  UnwindRules &rules_;
  uint64_t steps_left_;  // functions may share them, and hostile ones all
  CallFrames frames_;
};

// The rules of rows, one address after the other.
class RulesInOrder {
 public:
  explicit RulesInOrder(std::span<const UnwindRow> rows) : rows_(rows) {}
  [[nodiscard]] uint64_t next() const { return at_ < rows_.size() ? rows_[at_].address : UINT64_MAX; }
  uint16_t at(uint64_t address) {
    while (next() <= address && at_ < rows_.size()) rule_ = rows_[at_++].rule;
    return rule_;
  }

 private:
  std::span<const UnwindRow> rows_;
  size_t at_ = 0;
  uint16_t rule_ = UNWIND_RULE_NONE;
};

}  // namespace

CallFrames read_go_table(std::span<const std::byte> bytes, uint64_t text, UnwindRules &rules) {
  return GoTable(bytes, rules).read(text);
}

std::vector<GoFunction> read_go_names(std::span<const std::byte> bytes, uint64_t text) {
  std::vector<GoFunction> all;
  uint64_t chars_left = 2 * bytes.size();  // functions may share a name, and hostile ones a long one
  GoFunctions(bytes, text).each([&](const GoFunctions::One &one) {
    if (one.name.empty() || one.name.size() > chars_left) return;
    chars_left -= one.name.size();
    all.push_back({.from = one.from, .to = one.to, .name = one.name});
  });
  return all;
}

std::optional<size_t> find_go_table(std::span<const std::byte> bytes) {
  constexpr size_t kAligned = 8;
  for (size_t at = 0; at + sizeof(uint64_t) <= bytes.size(); at += kAligned)
    if (memcmp(&bytes[at + 1], kHead, sizeof(kHead)) == 0) return at;
  return std::nullopt;
}

CallFrames joined_frames(const CallFrames &under, const CallFrames &over) {
  CallFrames all = {.rows = {}, .functions = {}, .why_not_all = under.why_not_all};
  RulesInOrder lower(under.rows), upper(over.rows);
  for (uint64_t at; (at = std::min(lower.next(), upper.next())) != UINT64_MAX;) {
    const uint16_t below = lower.at(at), above = upper.at(at);
    const uint16_t rule = above != UNWIND_RULE_NONE ? above : below;
    if (all.rows.empty() ? rule != UNWIND_RULE_NONE : all.rows.back().rule != rule)
      all.rows.push_back({.address = at, .rule = rule});
  }
  std::ranges::merge(under.functions, over.functions, std::back_inserter(all.functions), {}, &UnwindFunction::from,
                     &UnwindFunction::from);
  const auto overlaps = [end = uint64_t{0}](const UnwindFunction &one) mutable {
    const bool does = one.from < end;
    if (!does) end = one.to;
    return does;
  };
  std::erase_if(all.functions, overlaps);
  return all;
}

}  // namespace strata
