// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The programs that command lines of bcc become: each is parsed, too, as strata run would.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/test.h"
#include "expr/bcc_argdist.h"
#include "expr/bcc_functions.h"
#include "expr/bcc_trace.h"
#include "expr/parser.h"
#include "kern/syscall.h"

namespace strata::expr {
namespace {

std::string parsed(const std::string &program) {
  const Source source("program", program);
  parse(source);
  return program;
}

std::string trace(const std::string &probe, const BccTrace &options = {}) {
  const std::string program = parsed(trace_program(std::span(&probe, 1), options));
  return program.substr(program.find('\n') + 1);  // behind the header
}

std::string argdist(const BccArgdist &options) {
  const std::string program = parsed(argdist_program(options).text);
  return program.substr(0, program.find('\n'));
}

constexpr std::string_view kColumns = "printf(\"%-7d %-7d %-15s %-16s";

std::string line(const std::string &format, const std::string &values = {}) {
  return std::string(kColumns) + format + "\\n\", pid, tid, comm, func" + values + "); }\n";
}

}  // namespace

TEST_CASE("funccount as a program") {
  CHECK(parsed(funccount_program({"PATTERN", "vfs_*"}, false, {}, {})) == "kprobe:vfs_* { @[func] = count(); }\n");
  CHECK(parsed(funccount_program({"PATTERN", "c:malloc"}, false, {0, 3}, {.interval_ns = 1'000'000'000, .count = 2})) ==
        "uprobe:c:malloc /(cpu == 0 || cpu == 3)/ { @[func] = count(); }\n"
        "interval:us:1000000 { if (elapsed >= 1500000000) { exit(); return; } print(@); clear(@); }\n");
  CHECK(parsed(funccount_program({"PATTERN", "sys_read"}, false, {}, {.time = true})) ==
        "tracepoint:raw_syscalls:sys_enter /args.id == " + std::to_string(syscall_number("read")) +
            "/ { @[\"sys_read\"] = count(); }\n"
            "end { time(\"%H:%M:%S\\n\"); }\n");
  // More intervals than time can have: it goes on.
  CHECK(funccount_program({"PATTERN", "f"}, false, {}, {.interval_ns = UINT64_MAX / 2, .count = 3}).find("exit") ==
        std::string::npos);
}

TEST_CASE("funclatency as a program, with a stack of calls for each thread") {
  const std::string one = parsed(funclatency_program({"PATTERN", "vfs_read"}, {}));
  CHECK(one.find("kprobe:vfs_read { $depth = @depth[tid]; @entered[tid, $depth] = nsecs;") == 0);
  CHECK(one.find("kretprobe:vfs_read /@depth[tid]/") != std::string::npos);
  CHECK(one.find("@call_ns = hist($took, 4); @call_ns_stats = stats($took); @call_ns_max = max($took);") !=
        std::string::npos);
  CHECK(parsed(funclatency_program({"PATTERN", "f"}, {.output = {.interval_ns = 1'000'000'000}}))
            .find("interval:us:1000000 { print(@call_ns); clear(@call_ns); clear(@call_ns_stats); "
                  "clear(@call_ns_max); }") != std::string::npos);
  CHECK(one.find("end { clear(@depth); clear(@entered); }") != std::string::npos);
  const std::string several = parsed(funclatency_program({"PATTERN", "vfs_*"}, {.by_function = true}));
  CHECK(several.find("@depth[tid, func]") != std::string::npos);
  CHECK(several.find("@call_ns[func] = hist($took, 4)") != std::string::npos);
}

TEST_CASE("funcslower as a program") {
  const std::string functions[] = {"c:open", "sys_read"};
  const std::string program =
      parsed(funcslower_program(functions, {.min_ns = 10'000, .microseconds = true, .arguments = 2}));
  CHECK(program.find("begin { print(\"COMM            PID     LAT(us)             RVAL FUNC ARGS\"); }\n") == 0);
  CHECK(program.find("if ($took >= 10000) { printf(\"%-15.15s %-7d %4d.%02d %16llx %s 0x%llx 0x%llx\\n\", comm, pid, "
                     "$took / 1000, $took % 1000 / 10, retval, func, $kept0, $kept1); }") != std::string::npos);
  CHECK(program.find("@entry1_1[tid, $depth] = args.args[1];") != std::string::npos);
}

TEST_CASE("trace as a program") {
  CHECK(trace("do_sys_open \"%s\", arg2@user") == "kprobe:do_sys_open { " + line(" %s", ", ustr(arg1)"));
  CHECK(trace("r:c:read ((int)retval < 0) \"read failed: %d\", retval") ==
        "uretprobe:c:read /((int)retval < 0)/ { " + line(" read failed: %d", ", (int32)(retval)"));
  CHECK(trace("p::tcp_cleanup_rbuf(struct sock *sk, int copied) \"%hd %llx %c%%\", copied, sk, 65") ==
        "kprobe:tcp_cleanup_rbuf { " +
            line(" %d %x %c%%", ", (int16)(((int)arg1)), (uint64)(((struct sock *)arg0)), 65"));
  CHECK(trace("t:block:block_rq_complete \"%K %U\", args->a, args->b") ==
        "tracepoint:block:block_rq_complete { " + line(" %s %s", ", ksym(args->a), usym(args->b)"));
  CHECK(trace("c:open", {.kernel_stack = true, .user_stack = true, .uid = 7, .name = "a\"b"}) ==
        "uprobe:c:open /uid == 7 && strcontains(comm, \"a\\\"b\")/ { " + line("%s%s", ", kstack, ustack"));
  CHECK(trace("c:open \"%s\", arg1", {.string_size = 7}) == "uprobe:c:open { " + line(" %s", ", str(arg0, 7)"));
  const std::string probe = "c:malloc \"%lld\", arg1";
  CHECK(parsed(trace_program(std::span(&probe, 1), {.aggregate = true})) ==
        "uprobe:c:malloc { @[pid, tid, comm, func, (int64)(arg0)] = count(); }\n");
}

TEST_CASE("columns of whose a process is stand before the function") {
  const std::string function = "c:open";
  const std::vector<BccOwner> owners = {{.key = "pod", .title = "POD", .width = -9},
                                        {.key = "unit", .title = "UNIT", .width = -5}};
  const std::string traced = parsed(trace_program(std::span(&function, 1), {.owners = owners}));
  CHECK(traced ==
        "begin { print(\"PID     TID     COMM            POD       UNIT  FUNC             -\"); }\n"
        "uprobe:c:open { printf(\"%-7d %-7d %-15s %-9s %-5s %-16s\\n\", pid, tid, comm, cgroup_pod(cgroup), "
        "cgroup_unit(cgroup), func); }\n");
  CHECK(trace("c:open", {.owners = owners, .rows = true}).find("\"tgid\\ntid\\ncomm\\npod\\nunit\\nfunction\\n") !=
        std::string::npos);
  CHECK(parsed(trace_program(std::span(&function, 1), {.owners = owners, .aggregate = true})) ==
        "uprobe:c:open { @[pid, tid, comm, cgroup_pod(cgroup), cgroup_unit(cgroup), func] = count(); }\n");
  const std::string slow = parsed(funcslower_program(std::span(&function, 1), {.owners = owners, .rows = true}));
  CHECK(slow.starts_with(
      "begin { print(\"COMM            PID     LAT(ms)             RVAL POD       UNIT  FUNC\"); }\n"));
  CHECK(slow.find("%16llx %-9s %-5s %s\\n\", comm, pid, ") != std::string::npos);
  CHECK(slow.find("return_value\\npod\\nunit\\nfunction\\n") != std::string::npos);
}

TEST_CASE("trace and funcslower as programs of rows: with values for data, and keys") {
  CHECK(trace("do_sys_open \"%s %d\", arg2@user, 'a' + STRCMP(\"b\", arg1)", {.kernel_stack = true, .rows = true}) ==
        "kprobe:do_sys_open { printf(\"%-7d %-7d %-15s %-16s %s %d%s\\n\", pid, tid, comm, func, ustr(arg1), "
        "(int32)('a' + (str(arg0) == \"b\")), kstack,\n  nsecs, cpu, "
        "\"tgid\\ntid\\ncomm\\nfunction\\nmessage_values.arg2\\nmessage_values.'a' + STRCMP(\\\"b\\\", arg1)\\nstack[]"
        "\\ntime_ns\\ncpu\"); }\n");
  const std::string function = "c:open";
  const std::string program = parsed(funcslower_program(std::span(&function, 1), {.arguments = 1, .rows = true}));
  CHECK(program.find(",\n  nsecs, tid, $took, "
                     "\"comm\\ntgid\\n\\n\\nreturn_value\\nfunction\\narguments[]\\ntime_ns\\ntid\\nlat_ns\"); ") !=
        std::string::npos);
}

TEST_CASE("argdist as a program") {
  CHECK(argdist({.counts = {"p:c:write(int fd, void *buf, size_t len):size_t:len:fd==1#writes to stdout"}}) ==
        "uprobe:c:write /(((int)arg0)==1)/ { @writes_to_stdout[(size_t)(((size_t)arg2))] = count(); }");
  CHECK(argdist({.counts = {"p:c:fork():int:$PID;fork per process"}}) ==
        "uprobe:c:fork { @fork_per_process[(int)(pid)] = count(); }");
  CHECK(argdist({.histograms = {"r:c:read()"}}) ==
        "uretprobe:c:read { $value = retval; if ($value >= 0) { @read = hist($value, 4); @read_stats = stats($value); "
        "@read_max = max($value); } else { @read_below_0 = count(); } }");
  CHECK(argdist({.counts = {"p:c:puts(char *s):char*:s:STRCMP(\"a;b#c\", s)"}, .string_size = 9}) ==
        "uprobe:c:puts /((str(((char *)arg0)) == \"a;b#c\"))/ { @puts[str(((char *)arg0), 9)] = count(); }");
  CHECK(argdist({.counts = {"p::__kmalloc(size_t size, gfp_t flags):gfp_t,size_t:flags,size"}}) ==
        "kprobe:__kmalloc { @__kmalloc[arg1, (size_t)(((size_t)arg0))] = count(); }");
  const std::string entry = argdist({.counts = {"r:c:x(int a, int b):int:$entry(b):$latency > 5"}});
  CHECK(entry.find("@entry0_x_[tid, $depth] = ((int)arg1);") != std::string::npos);
  CHECK(entry.find("arg0") == std::string::npos);
}

TEST_CASE("argdist has a map for each of its specifiers, and histograms come first") {
  const ArgdistProgram program =
      argdist_program({.histograms = {"r:c:read():u64:$latency", "p:c:read(int fd):int:fd#read max"},
                       .counts = {"p:c:read()", "p:c:read()#read stats"},
                       .output = {.interval_ns = 1'000'000'000, .time = true}});
  parsed(program.text);
  REQUIRE(program.histograms.size() == 2);
  CHECK(program.histograms[0].map.name == "read");
  CHECK(program.histograms[0].is_time);
  CHECK(program.histograms[0].label == "read");
  CHECK(program.histograms[1].map.name == "read_max_2");  // @read_max is beside the first one
  CHECK(program.histograms[1].label == "read max");
  CHECK(!program.histograms[1].is_time);
  CHECK(program.text.find("{ print(@read); print(@read_max_2); print(@read_below_0); print(@read_max_2_below_0); "
                          "print(@read_2); print(@read_stats_2); clear(") != std::string::npos);
}

}  // namespace strata::expr
