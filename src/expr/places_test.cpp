// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program may know of the place where it runs.
#include <string>
#include <utility>
#include <vector>

#include "base/test.h"
#include "expr/compile.h"
#include "expr/parser.h"

namespace strata::expr {
namespace {

Plan plan_at(const Target &target, const std::string &text, const Circumstances &circumstances = {}) {
  const Source source("program", text);
  Program program = parse(source, {});
  Types types([](const std::string &, uint32_t) { return BtfType{}; });
  return compile(source, program, {{target}}, types, circumstances, {.string_most = 62});
}

std::string said(const Target &target, const std::string &text, const Circumstances &circumstances = {}) {
  try {
    static_cast<void>(plan_at(target, text, circumstances));
  } catch (const Error &error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

Target in_program(const std::string &kind, bool moves) {
  Target target = {.kind = kind, .title = kind + ":FILE:main", .name = "main"};
  target.find_symbol = [moves](const std::string &name) -> std::optional<UserSymbol> {
    if (name != "count") return std::nullopt;
    return UserSymbol{.address = 0x1234, .bytes = 2, .moves = moves};
  };
  return target;
}

bool calls(const Plan &plan, int helper) {
  for (const bpf_insn &one : plan.programs.at(0).main.instructions)
    if (one.code == (BPF_JMP | BPF_CALL) && one.src_reg == 0 && one.imm == helper) return true;
  return false;
}

}  // namespace

TEST_CASE("the address of a program's symbol has the type of its size") {
  const std::string text = "uprobe:FILE:main { @ = *uaddr(\"count\"); @address = uaddr(\"count\"); }";
  const Plan plan = plan_at(in_program("uprobe", false), text);
  CHECK(name_of(plan.maps.at(0).value) == "uint16");
  CHECK(name_of(plan.maps.at(1).value) == "uint16 *");
  CHECK_FALSE(calls(plan_at(in_program("uprobe", true), text), BPF_FUNC_get_func_ip));
}

TEST_CASE("where a function returns, the kernel must say where its program lies") {
  const std::string text = "uretprobe:FILE:main { @ = uaddr(\"count\"); }";
  CHECK(said(in_program("uretprobe", true), text).find("keep uaddr() in a map where it begins") != std::string::npos);
  CHECK(said(in_program("uretprobe", false), text).empty());
  CHECK(calls(plan_at(in_program("uretprobe", true), text, {.function_address = true}), BPF_FUNC_get_func_ip));
}

TEST_CASE("a symbol is of the file that the place is in") {
  CHECK(said(in_program("uprobe", true), "uprobe:FILE:main { @ = uaddr(\"none\"); }") ==
        "program:1:30: the file of uprobe:FILE:main has no symbol 'none'");
  CHECK(said({.kind = "profile", .title = "profile:hz:9"}, "profile:hz:9 { @ = uaddr(\"count\"); }")
            .find("profile is in none") != std::string::npos);
}

TEST_CASE("arguments of a static probe that cannot be read are an error where they are used") {
  const Target target = {.kind = "usdt", .title = "usdt:FILE:a:b", .name = "b", .unread = "8@%xmm0"};
  CHECK(said(target, "usdt:FILE:b { @ = count(); }").empty());
  CHECK(said(target, "usdt:FILE:b { @ = arg0; }").find("cannot read them yet: 8@%xmm0") != std::string::npos);
}

TEST_CASE("an argument of a raw tracepoint is known by its name alone, unless that is a builtin's") {
  Target target = {.kind = "rawtracepoint", .title = "rawtracepoint:kfree_skb", .name = "kfree_skb"};
  target.arguments = {{.name = "reason", .type = int_type(4, false), .offset = 1},
                      {.name = "func", .type = int_type(4, false), .offset = 2}};
  const Plan plan = plan_at(target, "rawtracepoint:kfree_skb { @ = reason; @name[func] = count(); }");
  CHECK(name_of(plan.maps.at(0).value) == "uint32");
  CHECK(plan.maps.at(1).key.at(0).is(Type::Kind::kPlaceName));
}

TEST_CASE("what the kernel shows of no tracepoint is refused") {
  Target target = {.kind = "tracepoint", .title = "tracepoint:a:b", .name = "b"};
  target.arguments = {{.name = "ret", .type = int_type(), .offset = 16}};
  CHECK(said(target, "tracepoint:a:b { @ = args.common_pid; }") ==
        "program:1:22: the kernel shows common_pid to no program; it is tid, and pid is the process");
  CHECK(said(target, "tracepoint:a:b { @ = args.common_flags; }")
            .ends_with("the kernel shows common_flags to no program"));
  CHECK(said(target, "tracepoint:a:b { @ = ret; }").ends_with("this argument is args.ret"));
}

}  // namespace strata::expr
