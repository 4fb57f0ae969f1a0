// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/go_table.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/test.h"

namespace strata {
namespace {

constexpr uint64_t kText = 0x400000;

template <typename Number>
void put(std::string &to, Number value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

struct Function {
  uint32_t from;
  std::string name;
  std::string steps;  // "": in C
};

// As Go's linker writes it, with its parts in the order of the head.
std::string made(const std::vector<Function> &functions, uint32_t end, uint64_t text = kText) {
  std::string names, steps(1, '\0'), all, entries, rest;
  std::vector<std::pair<uint32_t, uint32_t>> at;
  for (const Function &one : functions) {
    at.emplace_back(names.size(), one.steps.empty() ? 0 : steps.size());
    names += one.name + '\0';
    steps += one.steps + '\0';
  }
  names.resize((names.size() + 7) & ~size_t{7});
  steps.resize((steps.size() + 7) & ~size_t{7});
  const auto bytes = static_cast<uint32_t>(8 * functions.size() + 4);
  for (size_t i = 0; i < functions.size(); i++) {
    put(entries, functions[i].from);
    put(entries, static_cast<uint32_t>(bytes + rest.size()));
    put(rest, functions[i].from);
    put(rest, at[i].first);
    put(rest, uint64_t{0});
    put(rest, at[i].second);
  }
  put(entries, end);
  put(all, uint32_t{0xfffffff1});
  all += std::string("\0\0\x01\x08", 4);
  const size_t head = 72;
  for (const uint64_t word : {uint64_t{functions.size()}, uint64_t{0}, text, uint64_t{head}, uint64_t{0}, uint64_t{0},
                              uint64_t{head + names.size()}, uint64_t{head + names.size() + steps.size()}})
    put(all, word);
  return all + names + steps + entries + rest;
}

// "0x10 sp+8", with the frame pointer's place.
std::string text_of(const CallFrames &frames, const UnwindRules &rules) {
  constexpr const char *kCfa[] = {"none", "unsupported", "end", "signal", "sp", "fp"};
  std::string all;
  for (const UnwindRow &row : frames.rows) {
    const unwind_rule &rule = rules.all()[row.rule];
    all += std::to_string(row.address - kText) + " " + kCfa[rule.cfa];
    if (rule.cfa >= UNWIND_SP) all += "+" + std::to_string(rule.cfa_offset);
    if (rule.fp == UNWIND_FP_AT_CFA) all += " fp" + std::to_string(rule.fp_offset);
    all += "; ";
  }
  return all;
}

CallFrames read(const std::string &bytes, UnwindRules &rules, uint64_t text = 0) {
  return read_go_table(std::as_bytes(std::span(bytes)), text, rules);
}

// Nothing on the stack for 4 bytes, 24 for 20, nothing again.
constexpr const char *kSteps = "\x02\x04\x30\x14\x2f\x08";

TEST_CASE("frames of Go's functions are as large as its steps say") {
  UnwindRules rules;
  const CallFrames frames =
      read(made({{0, "main.main", kSteps}, {32, "in_c", ""}, {48, "main.work", "\x02\x10"}}, 64), rules);
  CHECK(text_of(frames, rules) == "0 sp+8; 4 sp+32 fp-16; 24 sp+8; 32 none; 48 sp+8; 64 none; ");
  REQUIRE(frames.functions.size() == 2);
  CHECK(frames.functions[1].from == kText + 48);
  CHECK(frames.functions[1].to == kText + 64);
}

TEST_CASE("names of Go's functions") {
  const std::string bytes =
      made({{0, "main.main", kSteps}, {32, "in_c", ""}, {48, "runtime.sigreturn", "\x02\x10"}}, 64);
  std::string names;
  for (const GoFunction &one : read_go_names(std::as_bytes(std::span(bytes)), 0))
    names +=
        std::to_string(one.from - kText) + "-" + std::to_string(one.to - kText) + " " + std::string(one.name) + "; ";
  CHECK(names == "0-32 main.main; 32-48 in_c; 47-64 runtime.sigreturn; ");
}

TEST_CASE("functions of Go's runtime that end a stack, leave it, or are not called") {
  UnwindRules rules;
  const CallFrames frames = read(made({{16, "runtime.goexit.abi0", "\x02\x10"},
                                       {32, "runtime.sigreturn__sigaction", "\x02\x10"},
                                       {48, "runtime.systemstack_switch", "\x02\x10"},
                                       {64, "runtime.systemstack.abi0", "\x02\x20"},
                                       {96, "time.now", kSteps}},
                                      128),
                                 rules);
  CHECK(text_of(frames, rules) ==
        "16 end; 31 signal; 47 sp+8; 64 fp+16 fp-16; 96 sp+8; 100 fp+16 fp-16; 120 sp+8; 128 none; ");
}

TEST_CASE("where Go's code begins may be known by relocations alone") {
  UnwindRules rules;
  const std::string bytes = made({{0, "main.main", "\x02\x10"}}, 16, 0);
  CHECK(text_of(read(bytes, rules, kText), rules) == "0 sp+8; 16 none; ");
  CHECK(read(bytes, rules).rows.empty());
  const std::string shifted = "12345678" + bytes;
  CHECK(find_go_table(std::as_bytes(std::span(std::string_view(shifted)))) == 8);
  CHECK(!find_go_table(std::as_bytes(std::span(std::string_view(shifted).substr(16)))));
}

TEST_CASE("a table of Go that is cut short, or lies, says less") {
  UnwindRules rules;
  const std::string whole = made({{0, "main.main", kSteps}, {32, "main.work", kSteps}}, 64);
  for (size_t bytes = 0; bytes < whole.size(); bytes++) {
    std::string changed = whole;
    changed[bytes] = static_cast<char>(changed[bytes] ^ 0xff);
    for (const CallFrames &frames : {read(whole.substr(0, bytes), rules), read(changed, rules, kText)}) {
      for (size_t i = 1; i < frames.rows.size(); i++) CHECK(frames.rows[i - 1].address < frames.rows[i].address);
      for (size_t i = 1; i < frames.functions.size(); i++)
        CHECK(frames.functions[i - 1].to <= frames.functions[i].from);
    }
  }
}

TEST_CASE("rows of two sources are one, where both say something the second") {
  const CallFrames under = {.rows = {{10, 2}, {20, 3}, {40, 0}}, .functions = {{10, 40}}, .why_not_all = ""};
  const CallFrames over = {.rows = {{25, 5}, {30, 0}, {50, 6}, {60, 0}}, .functions = {{50, 60}}, .why_not_all = ""};
  std::string text;
  for (const UnwindRow &row : joined_frames(under, over).rows)
    text += std::to_string(row.address) + ":" + std::to_string(row.rule) + " ";
  CHECK(text == "10:2 20:3 25:5 30:3 40:0 50:6 60:0 ");
  CHECK(joined_frames(under, over).functions.size() == 2);
}

}  // namespace
}  // namespace strata
