// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/compile.h"

#include <algorithm>
#include <deque>

#include "base/test.h"
#include "expr/parser.h"

namespace strata::expr {
namespace {

// Without the kernel's types: what is tested here is the same on every host.
Plan plan_of(const std::string &text, const std::string &kind = "begin", const Circumstances &circumstances = {}) {
  const Source source("program", text);
  Program program = parse(source, {});
  static std::deque<Types> kept;  // the structs of a plan are theirs
  Types &types = kept.emplace_back([](const std::string &, uint32_t) { return BtfType{}; });
  types.define(program, source);
  Target target = {.kind = kind, .title = kind, .name = kind};
  if (kind == "tracepoint")
    target.arguments = {{.name = "filename", .type = pointer_to(int_type(1), Space::kUser), .offset = 16},
                        {.name = "ret", .type = int_type(8), .offset = 24}};
  const std::vector<std::vector<Target>> targets(program.probes.size(), {target});
  return compile(source, program, targets, types, circumstances, {.string_most = 62});
}

std::string said(const std::string &text, const std::string &kind = "begin") {
  try {
    plan_of(text, kind);
  } catch (const Error &error) {
    CHECK(error.exit_status() == kUsageStatus);
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

bool has_instruction(const Plan &plan, int code) {
  return std::ranges::any_of(plan.programs.at(0).main.instructions,
                             [&](const bpf_insn &one) { return one.code == code; });
}

// Of an expression of constants alone.
int64_t constant(const std::string &expression) {
  const Source source("program", "begin { print((" + expression + ", 0)) }");
  Program program = parse(source, {});
  Types types([](const std::string &, uint32_t) { return BtfType{}; });
  Plan plan;
  const Circumstances circumstances;
  Check check(source, types, plan, circumstances);
  check.probe(program.probes.at(0), {.kind = "begin"}, true);
  const Expression &value = *program.probes.at(0).body.at(0).value->parts.at(0)->parts.at(0);
  REQUIRE(value.constant);
  return static_cast<int64_t>(value.number);
}

}  // namespace

TEST_CASE("constants are computed as the program would compute them") {
  CHECK(constant("1 + 2 * 3") == 7);
  CHECK(constant("(1 + 2) * 3") == 9);
  CHECK(constant("10 - 4 - 3") == 3);
  CHECK(constant("1 | 6 & 2 ^ 1") == 3);
  CHECK(constant("1 << 2 + 1") == 8);
  CHECK(constant("-7 / 2") == -3);
  CHECK(constant("7 / -2") == -3);
  CHECK(constant("-7 % 4") == -3);
  CHECK(constant("-8 >> 1") == -4);
  CHECK(constant("7 / 0") == 0);
  CHECK(constant("7 % 0") == 7);
  CHECK(constant("(-9223372036854775807 - 1) / -1") == INT64_MIN);
  CHECK(constant("(-9223372036854775807 - 1) % -1") == 0);
  CHECK(constant("1 << 65") == 2);
  CHECK(constant("-1 < 1") == 1);
  CHECK(constant("!3 || 2 && 0") == 0);
  CHECK(constant("~0") == -1);
  CHECK(constant("ENOENT") == 2);
}

TEST_CASE("each assignment to a map does what its operator says") {
  constexpr int kAtomic = BPF_STX | BPF_ATOMIC | BPF_DW, kNegative = BPF_ALU64 | BPF_NEG;
  CHECK(has_instruction(plan_of("begin { @ += 2 }"), kAtomic));
  CHECK_FALSE(has_instruction(plan_of("begin { @ += 2 }"), kNegative));
  CHECK(has_instruction(plan_of("begin { @ -= 2 }"), kAtomic));
  CHECK(has_instruction(plan_of("begin { @ -= 2 }"), kNegative));
  for (const auto &[text, op] : {std::pair("*=", BPF_MUL),
                                 {"&=", BPF_AND},
                                 {"|=", BPF_OR},
                                 {"^=", BPF_XOR},
                                 {"<<=", BPF_LSH},
                                 {"/=", BPF_DIV},
                                 {"%=", BPF_MOD}}) {
    INFO(text);
    const Plan plan = plan_of("begin { @ " + std::string(text) + " 2 }");
    CHECK(has_instruction(plan, BPF_ALU64 | op | BPF_X));
    CHECK_FALSE(has_instruction(plan, kAtomic));
  }
}

TEST_CASE("a map has the type of what is put into it, wherever that stands") {
  const Plan plan =
      plan_of("begin { $x = @late[1, \"a\"]; print($x) } begin { @late[1, \"abcdefgh\"] = 5; @h = hist(7) }");
  REQUIRE(plan.maps.size() == 2);
  CHECK(plan.maps[0].value.is(Type::Kind::kInt));
  REQUIRE(plan.maps[0].key.size() == 2);
  CHECK(plan.maps[0].key[1].bytes() == 16);  // the longer one's
  CHECK(plan.maps[1].value.is(Type::Kind::kHistogram));
  CHECK(plan.maps[1].per_cpu());
}

TEST_CASE("each power of 2 has as many buckets as the bits of hist() say, everywhere the same") {
  CHECK(plan_of("begin { @ = hist(7) }").maps[0].buckets == 66);
  CHECK(plan_of("begin { @ = hist(7, 5) }").maps[0].buckets == 1921);
  CHECK(said("begin { @ = hist(7, 6) }").ends_with("by 0 to 5 bits"));
  CHECK(said("begin { @ = hist(7, 2); @ = hist(7) }").ends_with("@ has 2 bits elsewhere, and here 0"));
}

TEST_CASE("a map that nothing is put into is refused, whatever is done with it") {
  for (const std::string use : {"print(@x)", "print(@x[1])", "clear(@x)", "zero(@x)", "$y = @x"}) {
    INFO(use);
    CHECK(said("begin { " + use + " }").ends_with(": @x is never given a value"));
    CHECK(said("begin { " + use + " } end { " + (use.ends_with("[1])") ? "@x[2]" : "@x") + " = 1 }").empty());
  }
}

TEST_CASE("a clear() is behind a print() that is on each way to it") {
  const auto behind = [](const std::string &body) {
    const Plan plan = plan_of("begin { @x = count(); @y = count(); " + body + " }");
    const auto clear = std::ranges::find(plan.actions, Action::Kind::kClear, &Action::kind);
    return clear != plan.actions.end() && clear->behind_print;
  };
  CHECK(behind("print(@x); clear(@x)"));
  CHECK(behind("print(@x); print(@y); printf(\"\\n\"); clear(@x)"));
  CHECK(behind("print(@x); if (pid > 1) { clear(@x) }"));
  CHECK_FALSE(behind("clear(@x); print(@x)"));
  CHECK_FALSE(behind("print(@y); clear(@x)"));
  CHECK_FALSE(behind("if (pid > 1) { print(@x) } clear(@x)"));
  CHECK_FALSE(behind("if (pid > 1) { print(@x) } else { print(@x) } clear(@x)"));
  CHECK_FALSE(behind("print(@x); zero(@x); clear(@x)"));
}

TEST_CASE("a map has as many keys as it says itself, or as the settings say") {
  const Plan plan = plan_of("let @a = lruhash(7); begin { @a[1] = 1; @b[1] = 1 }");
  REQUIRE(plan.maps.size() == 2);
  CHECK((plan.maps[0].keys == 7 && plan.maps[0].evicts));
  CHECK((plan.maps[1].keys == Settings().map_keys && !plan.maps[1].evicts));
  CHECK(said("let @a = lruhsh(7); begin { }").starts_with("program:1:10: no kind of map is called 'lruhsh' (did you"));
  CHECK(said("let @a = hash(0); begin { }") == "program:1:15: a map has from 1 to 4194304 keys");
  CHECK(said("let @a = hash(1); let @a = hash(1); begin { }") == "program:1:19: @a is declared twice");
  CHECK(said("let $a = hash(1); begin { }").starts_with("program:1:5: expected a map"));
}

TEST_CASE("structs of the program lie as those of C do") {
  const std::string pair = "struct pair { char c; int n; char name[8]; short *next; } begin { @[";
  const auto size_of = [&](const std::string &what) { return said(pair + "1] = lhist(1, 0, " + what + ", 1) }"); };
  CHECK(size_of("sizeof(struct pair)").empty());
  CHECK(plan_of(pair + "1] = lhist(1, 0, sizeof(struct pair), 1) }").maps.at(0).high == 24);
  CHECK(plan_of(pair + "1] = lhist(1, 0, offsetof(struct pair, n), 1) }").maps.at(0).high == 4);
  CHECK(plan_of(pair + "1] = lhist(1, 0, offsetof(struct pair, next), 1) }").maps.at(0).high == 16);
}

// The numbers are those that GCC has.
TEST_CASE("structs within structs lie as those of C do, packed and not") {
  const std::string members =
      "{ char a; struct { int b; char c; } in; union { short d; char e[3]; }; struct pair two[2]; int f : 5, g : 20;"
      " struct x *next, *others[2]; struct later *p; struct unknown *q; } ";
  const std::string all = "struct pair { char first; short second; }; struct x " + members + "; struct y " + members +
                          "__attribute__((packed)); struct later { long n[3]; }; begin { ";
  const auto number = [&](const std::string &text) {
    return plan_of(all + "@ = lhist(1, 0, " + text + ", 1) }").maps.at(0).high;
  };
  CHECK((number("sizeof(struct x)") == 72 && number("sizeof(struct y)") == 65));
  CHECK((number("offsetof(struct x, in.c)") == 8 && number("offsetof(struct y, in.c)") == 5));
  CHECK((number("offsetof(struct x, e)") == 12 && number("offsetof(struct y, e)") == 9));
  CHECK((number("offsetof(struct x, two)") == 16 && number("offsetof(struct y, two)") == 13));
  CHECK((number("offsetof(struct x, others)") == 40 && number("offsetof(struct y, others)") == 33));
  CHECK(number("sizeof(*((struct x *)0).next)") == 72);
  CHECK(number("sizeof(*((struct x *)0).p)") == 24);
  CHECK(number("sizeof(((struct x *)0).two[1].second)") == 2);
  CHECK(said("struct a { struct b c; }; struct b { int d; }; begin { }") ==
        "program:1:21: struct b has no members yet: what is within another one stands before it");
  CHECK(said("struct a { struct a c; }; begin { }").starts_with("program:1:21: struct a has no members yet"));
  CHECK(said("struct a { int b, b; }; begin { }") == "program:1:19: member b is there twice");
  CHECK(said("struct a { int b; }; struct a { int b; }; begin { }") == "program:1:29: struct a is there twice");
  CHECK(said("struct a { int b[2000][2000]; }; begin { }") == "program:1:16: a struct has at most 1 MiB");
}

TEST_CASE("enumerators are of their enum until they are computed with, or stand where other numbers do") {
  const std::string color = "enum color { RED = 3, ROT = 3, BLUE } enum { A, B = -1 } begin { ";
  const auto value = [&](const std::string &text) { return name_of(plan_of(color + text + " }").maps.at(0).value); };
  CHECK(value("@ = RED") == "enum color");
  CHECK(value("$x = RED; @ = $x") == "enum color");
  CHECK(value("let $x: enum color = 4; $x = 3; @ = $x") == "enum color");
  CHECK(value("@ = RED == BLUE ? RED : BLUE") == "enum color");
  CHECK(value("@ = (enum color)3") == "enum color");
  CHECK(value("@ = A") == "an unnamed enum");
  CHECK(value("@ = (RED, 5)") == "(enum color,int64)");
  for (const char *text :
       {"@ = RED + 1", "@ = -RED", "@ = RED; @ = 5", "@ = RED; @ = A", "@ = RED; @++", "@ = RED; @ += 1",
        "$x = RED; $x++; @ = $x", "$x = RED; $x += BLUE; @ = $x", "let $x = RED; $x = 1; @ = $x", "@ = nsecs ? RED : 4",
        "@ = nsecs ? RED : A", "let $x: int32 = RED; @ = $x"}) {
    INFO(text);
    CHECK(value(text).starts_with("int"));
  }
  const Plan plan = plan_of(color + "@[RED] = 1; print(B) }");
  CHECK(plan.enums.at("color") == std::map<uint64_t, std::string>{{3, "RED"}, {4, "BLUE"}});
  CHECK(plan.enums.at("#2").at(UINT64_MAX) == "B");
  CHECK(said("enum a { A, A } begin { }") == "program:1:13: enumerator A is there twice");
  CHECK(said("enum a { A } enum a { B } begin { }") == "program:1:19: enum a is there twice");
  CHECK(said("enum a { A = 1 + b } begin { }") == "program:1:18: no enumerator is called 'b' here");
}

TEST_CASE("a key may have what the program finds out later") {
  for (const char *statement : {"= 1", "= count()", "++"}) {
    const Plan plan =
        plan_of("begin { $x = @late; @[1, $x] " + std::string(statement) + "; @late = 2; delete(@[1, $x]) }");
    REQUIRE(plan.maps.size() == 2);
    CHECK(plan.maps.at(plan.maps[0].name.empty() ? 0 : 1).key.size() == 2);
  }
}

TEST_CASE("a program that makes no sense is refused in one line, at its column") {
  CHECK(said("") == "program:1:1: a program has at least one probe: kprobe:vfs_read { @ = count(); }");
  CHECK(said("begin { print(1) ") == "program:1:18: expected ';' after a statement, not the end of the program");
  CHECK(said("beginn { }").starts_with("program:1:1: no kind of probe is called 'beginn' (did you mean 'begin'?)"));
  CHECK(said("begin { pirntf(\"x\") }") == "program:1:9: no function is called 'pirntf' (did you mean 'printf'?)");
  CHECK(said("begin { print(cmm) }") == "program:1:15: unknown name 'cmm' (did you mean 'comm'?)");
  CHECK(said("begin { print($x) }") == "program:1:15: $x has no value yet");
  CHECK(said("begin { $x = 1; $x = \"a\" }") == "program:1:22: $x is int64, and this is string[2]");
  CHECK(said("begin {\n  @ = 1;\n  @ = \"a\" }") == "program:3:7: @ is int64, and this is string[2]");
  CHECK(said("begin { @[1] = 1; @[1, 2] = 1 }") == "program:1:19: @ has a key of 1 values elsewhere, and here of 2");
  CHECK(said("begin { printf(\"%d\") }") == "program:1:9: the format has 1 values, and there are 0");
  CHECK(said("begin { printf(\"%d\", comm) }") == "program:1:22: %d takes a number, and this is string[16]; try %s");
  CHECK(said("begin { $x = count() }") == "program:1:14: count() is the value of a map: @ = count(...)");
  CHECK(said("begin { @ = lhist(1, 10, 0, 1) }") == "program:1:26: the greatest of lhist() is above the least");
  CHECK(said("begin { @ = lhist(1, 0, 10, 0) }") == "program:1:29: the step of lhist() is above 0");
  CHECK(said("begin { unroll(101) { } }") == "program:1:16: unroll() repeats at most 100 times");
  CHECK(said("begin { print(retval) }") ==
        "program:1:15: retval is of functions that return: kretprobe, uretprobe, fexit");
  CHECK(said("begin { print(\"a\" + 1) }") == "program:1:15: + takes numbers, not string[2] and int64");
  CHECK(said("begin { 5 = 3 }") == "program:1:9: only a variable ($x) or a map (@x) can be assigned to");
}

TEST_CASE("an argument that the place has not is refused with the one that may be meant") {
  CHECK(said("t:a:b { print(args.ret); print(str(args.filename)) }", "tracepoint").empty());
  CHECK(said("t:a:b { print(args.filnam) }", "tracepoint") ==
        "program:1:15: tracepoint has no argument 'filnam' (did you mean 'filename'?)");
  CHECK(said("t:a:b { print(arg0) }", "tracepoint")
            .starts_with("program:1:15: arg0 is of functions and raw tracepoints"));
}

TEST_CASE("a program that wants a stack of user space has a half before the walk of it and one after") {
  const Plan plan = plan_of("t:a:b /pid == 1/ { @[ustack, ustack(2)] = count() }", "tracepoint");
  REQUIRE(plan.programs.size() == 1);
  const auto calls = [](const Half &half, int helper) {
    return std::ranges::count_if(half.instructions, [&](const bpf_insn &one) {
      return one.code == (BPF_JMP | BPF_CALL) && one.src_reg == 0 && one.imm == helper;
    });
  };
  CHECK(calls(plan.programs[0].main, BPF_FUNC_get_current_pid_tgid) == 1);
  CHECK(calls(plan.programs[0].main, BPF_FUNC_tail_call) == 1);
  CHECK(calls(plan.programs[0].main, BPF_FUNC_map_update_elem) == 0);
  CHECK(calls(plan.programs[0].rest, BPF_FUNC_tail_call) == 0);
  CHECK(calls(plan.programs[0].rest, BPF_FUNC_map_update_elem) == 1);
  CHECK(plan_of("t:a:b { @[kstack] = count() }", "tracepoint").programs[0].rest.instructions.empty());
  CHECK(said("t:a:b /ustack/ { @ = 1 }", "tracepoint").find("when the condition holds") != std::string::npos);
  CHECK(said("begin { print((ustack, kstack)) }").empty());  // without a task: both are empty
  CHECK_FALSE(plan_of("begin { print(ustack) }").names_user_code);
  CHECK(said("t:a:b { print(kstack(0)) }", "tracepoint").find("from 1 to 128") != std::string::npos);
}

TEST_CASE("one program serves the places that it need not tell apart, and is told where it runs") {
  const auto programs = [](const std::string &text, bool cookies) {
    const Source source("program", text);
    Program program = parse(source, {});
    Types types([](const std::string &, uint32_t) { return BtfType{}; });
    std::vector<Target> targets;
    for (const char *name : {"read", "write", "open"})
      targets.push_back({.kind = "kprobe", .title = std::string("kprobe:") + name, .name = name});
    const Plan plan = compile(source, program, {targets}, types, {.cookies = cookies}, {});
    std::vector<std::vector<uint32_t>> places;
    for (const Code &code : plan.programs) places.push_back(code.places);
    return places;
  };
  using Places = std::vector<std::vector<uint32_t>>;
  CHECK(programs("k:* { @[func, probe] = count() }", true) == Places{{0, 1, 2}});
  CHECK(programs("k:* { @[func, probe] = count() }", false) == Places{{0}, {1}, {2}});
  CHECK(programs("k:* { printf(\"%s\", func) }", true) == Places{{0, 1, 2}});
  CHECK(programs("k:* { @[comm] = count() }", false) == Places{{0, 1, 2}});
  CHECK(programs("k:* { if (func == \"write\") { @ = count() } }", true) == Places{{0, 2}, {1}});
  CHECK(programs("k:* { @[\"x\"] = 1; @[func] = 1 }", true).size() == 3);
  CHECK(programs("k:* { @[probe] = 1; @[func] = 1 }", true).size() == 1);
}

TEST_CASE("a probe that prints leaves out what strata does itself, wherever the printing stands") {
  const auto asks_who = [](const std::string &text) {
    const Plan plan = plan_of("t:a:b { " + text + " }", "tracepoint");
    const auto &code = plan.programs.at(0).main.instructions;
    return std::ranges::any_of(code, [](const bpf_insn &one) {
      return one.code == (BPF_JMP | BPF_CALL) && one.imm == BPF_FUNC_get_current_pid_tgid;
    });
  };
  CHECK(asks_who("print(1)"));
  CHECK(asks_who("if (1) { print(1) }"));
  CHECK(asks_who("@ = 1 + { print(1); 2 }"));
  CHECK_FALSE(asks_who("@ = 1 + { $x = 1; 2 }"));
  CHECK_FALSE(asks_who("@[1] = 1; delete(@[1])"));
  CHECK(asks_who("@ = count(); delete(@)"));
}

TEST_CASE("nothing leaves a block that is a value, which may stand within a record") {
  CHECK(said("begin { printf(\"%d\", { $x = 1; $x + 1 }) }").empty());
  for (const std::string leaves : {"return", "exit()", "while (1) { $x = { break; 1 }; }"})
    CHECK(said("begin { printf(\"%d\", { " + leaves + "; 1 }) }").find("nothing leaves a block") != std::string::npos);
  for (const std::string stays : {"while (1) { break; }", "for ($i : 0..3) { if ($i) { break; } }"})
    CHECK(said("begin { printf(\"%d\", { " + stays + " 1 }) }").empty());
  CHECK(said("begin { $x = { $y = 1; } }") == "program:1:14: this block has no value: its last statement is none");
}

TEST_CASE("an if with an else may be a value, and so may the last statement of a block") {
  CHECK(said("begin { print(if (pid) { 1 } else if (tid) { 2 } else { 3 }) }").empty());
  CHECK(said("begin { $x = { if (pid) { if (tid) { 1 } else { 2 } } else { 3 } }; print($x) }").empty());
  CHECK(said("begin { print(if (pid) { 1 }) }").find("an if that is a value has an else") != std::string::npos);
  CHECK(said("begin { $x = { if (pid) { $y = 1; } else { 2 } } }").find("a branch of this if has no value") !=
        std::string::npos);
}

TEST_CASE("a string is cut, or has more room, or is asked whether it has a character") {
  const auto shown = [&](const std::string &what) {
    return plan_of("begin { $s = \"hello\"; print(" + what + ") }").actions.at(0).values.at(0);
  };
  CHECK((shown("str($s, 2)").size == 3 && shown("str($s, 9)").size == 6 && shown("str(\"hello\", 2)").size == 3));
  CHECK((shown("(string[64])$s").size == 64 && shown("(bool)$s").is_bool));
  CHECK(said("begin { print((string[3])\"abc\") }").ends_with("string[3] has no room for string[4]"));
  CHECK((shown("str(0)").size == 65 && shown("str(0, 5)").size == 6));
}

TEST_CASE("the body of a range whose end is not known is a function, where a helper calls it") {
  Circumstances helps;
  helps.ranges = [] { return true; };
  const auto calls = [&](const std::string &range, const Circumstances &circumstances) {
    const Plan plan = plan_of("begin { @n = 3; for ($i : " + range + ") { @s += $i; } }", "begin", circumstances);
    return !plan.programs.at(0).main.functions.empty();
  };
  CHECK((calls("0..@n", helps) && calls("@n..9", helps)));
  CHECK_FALSE(calls("0..9", helps));
  const Plan beside =
      plan_of("begin { @n = 3; while (@n > 1) { @n--; } for ($i : 0..@n) { @s += $i; } }", "begin", helps);
  CHECK(beside.programs.at(0).main.functions.empty());
  CHECK_FALSE(calls("0..@n", {}));
}

TEST_CASE("what is added to a map of pointers counts in what they point to") {
  CHECK(said("struct two { int a, b; } begin { $p = (struct two *)8; @ += ($p++).b; }").empty());
  CHECK(plan_of("begin { @ = (int32 *)8; @ += 2; @++; }").maps.at(0).value.is(Type::Kind::kPointer));
}

TEST_CASE("what this machine says is a constant of the program") {
  Circumstances known;
  known.kernel_address = [](const std::string &name) { return name == "vfs_read" ? UINT64_C(0xffffffff816b89f0) : 0; };
  known.cgroup_id = [](const std::string &path) { return path == "/sys/fs/cgroup/a" ? UINT64_C(47) : 0; };
  CHECK(plan_of("begin { @ = lhist(1, 0, cgroupid(\"/sys/fs/cgroup/a\"), 1) }", "begin", known).maps.at(0).high == 47);
  CHECK(plan_of("begin { @ = lhist(1, 0, 1 + (kaddr(\"vfs_read\") > 0), 1) }", "begin", known).maps.at(0).high == 2);
  CHECK(said("begin { print(cgroupid(\"/a\")) }") == "program:1:24: no control group (v2) has the directory /a");
  CHECK(said("begin { print(kaddr(\"vfs_raed\")) }").starts_with("program:1:21: /proc/kallsyms has no address"));
}

TEST_CASE("what does something to what is traced needs to be permitted, and a task") {
  Circumstances unsafe;
  unsafe.unsafe = true;
  CHECK(said("t:a:b { signal(\"SIGSTOP\") }", "tracepoint").ends_with("it needs --unsafe"));
  CHECK(said("begin { system(\"true\") }").ends_with("it needs --unsafe"));
  CHECK_NOTHROW(plan_of("begin { system(\"true\") }", "begin", unsafe));
  for (const auto &[signal, number] : {std::pair("\"KILL\"", 9), {"\"SIGSTOP\"", 19}, {"10", 10}}) {
    const Plan plan = plan_of("t:a:b { signal(" + std::string(signal) + ") }", "tracepoint", unsafe);
    const auto &code = plan.programs.at(0).main.instructions;
    const auto call = std::ranges::find_if(
        code, [](const bpf_insn &one) { return one.code == (BPF_JMP | BPF_CALL) && one.imm == BPF_FUNC_send_signal; });
    REQUIRE(call != code.end());
    CHECK((call - 2)->imm == number);
  }
  CHECK(said("t:a:b { signal(\"SIGSTOPP\") }", "tracepoint") == "program:1:16: no signal is called 'SIGSTOPP'");
  CHECK(said("begin { signal(9) }").find("no task") != std::string::npos);
}

TEST_CASE("an option of the program has the type of its default, and its value from the command line") {
  Circumstances given;
  given.parameters = {"--n=1", "--n=32", "--yes", "--low=-3"};
  const auto high = [&](const std::string &option) {
    return plan_of("begin { @ = lhist(1, -9, " + option + ", 1) }", "begin", given).maps.at(0).high;
  };
  CHECK(high("getopt(\"n\", 5)") == 32);
  CHECK(high("getopt(\"other\", 5, \"what it is\")") == 5);
  CHECK(high("getopt(\"yes\")") == 1);
  CHECK(high("getopt(\"no\", false) + 3") == 3);
  CHECK(static_cast<int64_t>(high("getopt(\"low\", -1)")) == -3);
  CHECK(plan_of("begin { print(getopt(\"n\", \"x\")) }", "begin", given).actions.at(0).values.at(0).size == 3);
  CHECK(plan_of("begin { print(getopt(\"n\", 5)) }").options.contains("--n"));
  given.parameters = {"--n=many", "--yes=maybe"};
  CHECK_THROWS(high("getopt(\"n\", 5)"));
  CHECK_THROWS(high("getopt(\"yes\")"));
  CHECK(said("begin { $x = 1; print(getopt(\"n\", $x)) }").find("default of an option") != std::string::npos);
}

TEST_CASE("functions refuse what they cannot do, at its column") {
  CHECK(said("begin { print(len(1)) }") == "program:1:19: len() takes a map, a string or a stack, and this is int64");
  CHECK(said("begin { print(pton(\"1.2.3\")) }") == "program:1:20: no address: '1.2.3'");
  CHECK(said("begin { print(pton(\"::1\") == pton(\"127.0.0.1\")) }").find("uint8[16] and uint8[4]") !=
        std::string::npos);
  CHECK(said("begin { print(pton(\"::1\") < pton(\"::2\")) }").ends_with("compared by == and != alone"));
  CHECK(said("begin { print(nsecs(wall)) }") == "program:1:21: no such clock; there are boot, monotonic, tai, sw_tai");
  CHECK(said("begin { print(pid(mine)) }").find("pid(curr_ns)") != std::string::npos);
  CHECK(said("t:a:b { print(usermode) }", "tracepoint").find("usermode is of samples") != std::string::npos);
  CHECK(said("begin { print(usermode) }").empty());
  CHECK(said("profile:hz:99 { @[usermode] = count() }", "profile").empty());
  CHECK(said("begin { print(strcontains(1, \"a\")) }").ends_with("strcontains() takes strings, and this is int64"));
  CHECK(said("begin { print(strcontains(str(0, 300), str(0, 300))) }").find("give one a size") != std::string::npos);
  CHECK(said("begin { print(strcontains(str(0, 300), str(0, 32))) }").empty());
  CHECK(said("begin { print(strcontains(str(0, 300), str(\"a\"))) }").empty());
  CHECK(said("begin { print(cgroup_path(1, \"cpu*\")) }").find("v2 alone") != std::string::npos);
  CHECK(said("begin { print(cgroup_unit(comm)) }").ends_with("a control group is a number, not string[16]"));
  CHECK(said("begin { print(cgroup_pod(1, \"*\")) }").ends_with("it is called as cgroup_pod(cgroup)"));
  CHECK(said("begin { if (cgroup_unit(cgroup) == \"a.service\") { exit() } }").find("not cgroup_unit and") !=
        std::string::npos);
}

TEST_CASE("whose a cgroup is, is its number until it is shown") {
  const Plan plan =
      plan_of("begin { @[cgroup_unit(cgroup), 1] = count(); print((cgroup_container(1), cgroup_pod(2))) }");
  CHECK(plan.names_cgroups);
  CHECK(plan.maps.at(0).key.at(0).is(Type::Kind::kCgroupUnit));
  CHECK(plan.maps.at(0).key_bytes() == 16);
  CHECK(name_of(plan.actions.at(0).values.at(0)) == "(cgroup_container,cgroup_pod)");
  CHECK(plan_of("begin { print(cgroup_path(cgroup)) }").names_cgroups);
  CHECK_FALSE(plan_of("begin { print(cgroup) }").names_cgroups);
  CHECK(said("begin { @ = cgroup_unit(1); @ = cgroup_pod(1) }").find("cgroup_pod") != std::string::npos);
}

TEST_CASE("a constant of a predicate lies where both halves of a program find it") {
  const Plan plan = plan_of("t:a:b /pton(\"::1\") == pton(\"::2\")/ { $x = 1; @[ustack, $x] = count() }", "tracepoint");
  CHECK_FALSE(plan.programs.at(0).rest.instructions.empty());
}

TEST_CASE("the value of an aggregation is that of all processors together") {
  Circumstances known;
  known.possible_cpus = [] { return 4U; };
  const auto reads = [&](const std::string &text) {
    const Plan plan = plan_of("begin { " + text + " }", "begin", known);
    return std::ranges::count_if(plan.programs.at(0).main.instructions, [](const bpf_insn &one) {
      return one.code == (BPF_JMP | BPF_CALL) && one.imm == BPF_FUNC_map_lookup_percpu_elem;
    });
  };
  CHECK(reads("@ = count(); if (@ > 3) { exit() }") == 1);
  CHECK(reads("@[1] = avg(2); $x = @[1]; print($x)") == 1);
  CHECK(reads("@ = min(2); printf(\"%d\", @)") == 1);
  CHECK(said("begin { @ = count(); if (@ > 3) { } }").find("nothing of what other processors counted") !=
        std::string::npos);
  CHECK_THROWS(plan_of("begin { @ = hist(1); $x = @ + 1 }", "begin", known));
}

TEST_CASE("a loop through a map is a function behind the program, where the kernel has such") {
  const Circumstances circumstances = {.loops = [] { return true; }, .possible_cpus = [] { return 2; }};
  const auto functions = [&](const std::string &body) {
    const Plan plan = plan_of("begin { @[1, 2] = 3; @c[1] = count(); " + body + " }", "begin", circumstances);
    for (const uint32_t first : plan.programs[0].main.functions)
      CHECK(plan.programs[0].main.instructions.at(first - 1).code == (BPF_JMP | BPF_EXIT));
    return plan.programs[0].main.functions.size();
  };
  CHECK(functions("print(1)") == 0);
  CHECK(functions("for ($kv : @) { print($kv.0.1); }") == 1);
  CHECK(functions("for ($kv : @) { for ($kv : @c) { print($kv.1 + len(@)); } print($kv.0.0); }") == 3);
  CHECK(said("begin { @[1] = 1; for ($kv : @) { } }")
            .ends_with("go through a map (5.13 does); print(@) shows all of it"));
  CHECK(said("begin { @[1] = 1; print(len(@)) }").find("(5.13 does)") != std::string::npos);
  CHECK(said("begin { @ = 1; for ($kv : @) { } }").ends_with("@ has no keys to go through"));
  CHECK(said("begin { @[1] = hist(1); for ($kv : @) { } }")
            .ends_with("@ is hist_t, which is no single value; print(@) shows it"));
  CHECK(said("begin { for ($kv : 3) { } }")
            .ends_with("for goes through a range, such as 0..10, or through a map, @name"));
  CHECK(said("begin { for ($i : 0..3) { } print($i); }").ends_with("$i has no value yet"));
}

TEST_CASE("what is known of a value before the program runs decides what becomes of it") {
  CHECK(said("begin { if (is_str(1)) { fail(\"no\"); } if (is_ptr(1) || !is_integer(1)) { nothing(); } }").empty());
  CHECK(said("begin { if (is_literal(1)) { fail(\"why\"); } }") == "program:1:30: why");
  CHECK(said("begin { static_assert(1 + 1 == 3, \"sum\"); }") == "program:1:9: sum");
  CHECK(said("begin { static_assert(1 + 1 == 2, \"sum\"); }").empty());
  CHECK(said("begin { @[1] = 2; find(@, 1, 3); }").ends_with("find() puts the value into a variable: $value"));
  CHECK(said("begin { print(str(\"abc\" + 4)); }").ends_with("the text has 3 characters"));
  CHECK(said("begin { print(memcmp(1, 2, 0)); }").ends_with("memcmp() compares from 1 to 1024 bytes"));
  CHECK(said("begin { print({ assert(1, \"x\"); 1 }); }").ends_with("nothing leaves a block that is a value"));
}

TEST_CASE("a struct or an array that is shown goes to user space as its bytes, with all its fields") {
  const std::string structs = "struct in { int y; }; struct out { long m; struct in in; char name[8]; u16 n[3]; }; ";
  const auto shown = [&](const std::string &what) {
    return plan_of(structs + "begin { $p = (struct out *)0; print(" + what + ") }").actions.at(0).values.at(0);
  };
  const Type whole = shown("*$p");
  CHECK((whole.is(Type::Kind::kWhole) && whole.size == 32 && whole.bytes() == 32));
  CHECK(whole.to->record->fields.at(1).type.record->fields.at(0).name == "y");
  CHECK((shown("$p.in").size == 4 && shown("$p.in").bytes() == 8));
  CHECK((shown("$p.n").is(Type::Kind::kWhole) && shown("$p.n").size == 6));
  CHECK(shown("$p.name").is(Type::Kind::kString));
  CHECK(shown("(1, $p.in)").parts.at(1).is(Type::Kind::kWhole));
  CHECK(said(structs + "begin { $p = (struct out *)0; printf(\"%s %s\", *$p, $p.n); }").empty());
  CHECK(said(structs + "begin { $p = (struct out *)0; printf(\"%d\", *$p); }")
            .ends_with("%d takes a number, and this is struct out; try %s"));
  CHECK(said("struct large { long n[1025]; } begin { print(*(struct large *)0) }") ==
        "program:1:46: struct large has 8200 bytes, and as a whole at most 8192 are shown: show its fields");
  CHECK(said("struct large { long n[1025]; } begin { print(((struct large *)0).n) }").ends_with("show its elements"));
  CHECK(said("struct most { long n[1024]; } begin { print(*(struct most *)0) }").empty());
}

TEST_CASE("a map and a tuple hold a struct or an array as its bytes, whose fields may be asked for") {
  const std::string structs =
      "struct in { int y; }; struct out { struct in in; u16 n[3]; }; struct two { int a, b, c; }; ";
  const Plan plan = plan_of(structs + "begin { $p = (struct out *)0; @[$p.n] = *$p; print(@[$p.n].in.y); }");
  CHECK((plan.maps.at(0).key.at(0).is(Type::Kind::kWhole) && plan.maps.at(0).value.is(Type::Kind::kWhole)));
  CHECK(plan.maps.at(0).value.size == 12);
  CHECK(plan.actions.at(0).values.at(0).is(Type::Kind::kInt));
  CHECK(
      said(structs + "begin { $p = (struct out *)0; $t = (1, *$p); @t = $t; print($t.1.in.y + @t.1.n[2]); }").empty());
  CHECK(said(structs + "begin { @ = *(struct out *)0; @ = *(struct two *)0; }")
            .ends_with("@ is struct out, and this is struct two"));
  CHECK(
      said(structs + "begin { @ = *(struct out *)0; for ($kv : @x) { print($kv.1.n); } @x[1] = ((struct out *)0).n; }")
          .size() < 200);
}

TEST_CASE("args as a whole are the arguments of the place, with their names") {
  const Type args = plan_of("t:a:b { print(args) }", "tracepoint").actions.at(0).values.at(0);
  REQUIRE((args.is(Type::Kind::kTuple) && args.parts.size() == 2));
  CHECK((args.parts[0].is(Type::Kind::kPointer) && args.parts[1].is(Type::Kind::kInt)));
  CHECK((args.record->fields.at(0).name == "filename" && args.record->fields.at(1).name == "ret"));
  CHECK(said("t:a:b { printf(\"%s\", args) }", "tracepoint").empty());
  CHECK(said("t:a:b { printf(\"%d\", args) }", "tracepoint").ends_with("%d takes a number, and this is args; try %s"));
  CHECK(said("begin { print(args) }") == "program:1:15: nothing is known of the arguments of begin");
  CHECK(said("t:a:b { $x = args; print($x.ret); @[args] = (n=1, all=args); }", "tracepoint").empty());
  CHECK(said("t:a:b { print(ctx) }", "tracepoint").ends_with("ctx has fields: ctx.NAME"));
}

TEST_CASE("tuples of as many values compare, whatever the sizes of their strings") {
  for (const std::string one :
       {"(1, \"a\") == ($x, comm)", "(1, comm) != ($x, str(0))", "(1, (2, \"a\")) == ($x, (3, comm))",
        "@t == (1, \"a\")", "@s == \"a\"", "(@s, 1) == (\"a\", 1)", "(1, curtask) == (true, 3)"}) {
    INFO(one);
    CHECK(said("begin { $x = 1; print(" + one + "); if (!(" + one + ")) { @t = (1, \"abcdefgh\"); @s = \"b\" } }")
              .empty());
  }
  CHECK(said("begin { (1, 2) < (1, 3) }") == "program:1:9: tuples are compared by == and != alone");
  CHECK(said("begin { print((1, 2) && (1, 3)) }").ends_with("tuples are compared by == and != alone"));
  CHECK(said("begin { (1, 2) == (1, 2, 3) }").ends_with("and these are (int64,int64) and (int64,int64,int64)"));
  CHECK(said("begin { (1, (2, 3)) == (1, (2, \"a\")) }")
            .ends_with("(int64,(int64,int64)) and (int64,(int64,string[2]))"));
  CHECK(said("begin { (1, 2) == 3 }") == "program:1:9: == takes numbers, not (int64,int64) and int64");
}

TEST_CASE("printf() of a program of rows has values for data alone, and their keys") {
  Circumstances rows;
  rows.rows = true;
  const std::string line = "printf(\"%d\\n\", 1, 2,\n \"a\\n\"); ";
  const Plan plan = plan_of("begin { " + line + line + "printf(\"%d\\n\", 1, 2, \"b\\n\"); }", "begin", rows);
  REQUIRE(plan.actions.size() == 2);
  CHECK(plan.actions[0].values.size() == 2);
  CHECK(plan.actions[0].keys == std::vector<std::string>{"a", ""});
  CHECK(plan.actions[1].keys == std::vector<std::string>{"b", ""});
  CHECK(said("begin { printf(\"%d\", 1, 2) }").ends_with("the format has 1 values, and there are 2"));
  CHECK_THROWS(plan_of("begin { printf(\"%d\", \"a\"); }", "begin", rows));
}

TEST_CASE("what looks different is no action that two statements share") {
  const auto actions = [](const std::string &statements) {
    return plan_of("struct a { int x; }; struct b { int x; }; begin { " + statements + " }").actions.size();
  };
  CHECK(actions("print(*(struct a *)0); print(*(struct a *)8)") == 1);
  CHECK(actions("print(*(struct a *)0); print(*(struct b *)0)") == 2);
  CHECK(actions("print((1, strftime(\"%H\", nsecs))); print((1, strftime(\"%M\", nsecs)))") == 2);
  CHECK(actions("print(strftime(\"%H\", nsecs)); print(strftime(\"%H\", nsecs(monotonic)))") == 2);
}

TEST_CASE("what the manual says is not known yet is refused, and not misunderstood") {
  for (const std::string name : {"unwatch", "skboutput"})
    CHECK(said("begin { print(" + name + "(1)) }") == "program:1:15: " + name + "() is not known to strata run yet");
  CHECK(said("fn x") == "program:1:5: expected '(' before the parameters of a function, not the end of the program");
}

TEST_CASE("a program that is nested too deeply is refused, not walked until the stack ends") {
  const std::string deep(100'000, '(');
  CHECK(said("begin { print(" + deep).find("nested too deeply") != std::string::npos);
  CHECK(said("begin { print(" + std::string(100'000, '-') + "1) }").find("nested too deeply") != std::string::npos);
  std::string blocks;
  for (int i = 0; i < 100'000; i++) blocks += "if (1) { ";
  CHECK_FALSE(said("begin { " + blocks).empty());
}

}  // namespace strata::expr
