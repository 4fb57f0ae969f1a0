// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/bcc_probe.h"

#include "base/test.h"
#include "kern/syscall.h"

namespace strata::expr {
namespace {

std::string probe(const std::string &text, bool regular = false) {
  return bcc_place({"probe", text}, regular ? BccNaming::kRegular : BccNaming::kName).probe();
}

std::string said(const std::string &text, bool regular = false) {
  try {
    probe(text, regular);
  } catch (const Error &error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "";
}

std::string value(const std::string &text, const BccNames &names = BccPlace{}.known()) {
  const Source source("probe", text);
  return bcc_expression(source, bcc_tokens(source, 0), names).text;
}

BccNames signature(const std::string &text) {
  const Source source("probe", text);
  const BccPlace place = bcc_place(source);
  const std::vector<Token> tokens = bcc_tokens(source, place.at.to);
  std::span<const Token> all = tokens;
  return bcc_signature(source, place, all);
}

std::string fault(const std::string &text, const BccNames &names = BccPlace{}.known()) {
  try {
    value(text, names);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("bcc's probes by the words of its manuals") {
  CHECK(probe("vfs_read") == "kprobe:vfs_read");
  CHECK(probe("p::vfs_read") == "kprobe:vfs_read");
  CHECK(probe("::do_sys_open \"%s\"") == "kprobe:do_sys_open");
  CHECK(probe("r::vfs_read (retval < 0)") == "kretprobe:vfs_read");
  CHECK(probe("c:malloc") == "uprobe:c:malloc");
  CHECK(probe(":c:malloc") == "uprobe:c:malloc");
  CHECK(probe("p:c:malloc(size_t size):size_t:size") == "uprobe:c:malloc");
  CHECK(probe("r:/usr/lib/x-1.2.so:main") == "uretprobe:/usr/lib/x-1.2.so:main");
  CHECK(probe("t:block:block_rq_complete") == "tracepoint:block:block_rq_complete");
  CHECK(probe("t:sched:*") == "tracepoint:sched:*");
  CHECK(probe("u:pthread:pthread_create \"%d\", arg1") == "usdt:pthread:pthread_create");
  CHECK(bcc_place({"probe", "r::vfs_read"}).entry() == "kprobe:vfs_read");
}

TEST_CASE("a function of a system call is one of the tracepoints of all of them") {
  const BccPlace place = bcc_place({"probe", "p::sys_read"});
  CHECK(place.entry() == "tracepoint:raw_syscalls:sys_enter");
  CHECK(place.predicate("arg") == "/args.id == " + std::to_string(syscall_number("read")) + " && arg/ ");
  CHECK(place.function() == "\"sys_read\"");
  CHECK(probe("r::SyS_write") == "tracepoint:raw_syscalls:sys_exit");
  CHECK(signature("sys_read(int fd, char *buf)").at("buf") == "((char *)args.args[1])");
  CHECK(signature("r::sys_read").at("$retval") == "args.ret");
  CHECK(said("sys_getppidd") == "probe:1:1: no system call is called getppidd (did you mean 'getppid'?)");
  CHECK(probe("c:sys_read") == "uprobe:c:sys_read");
  CHECK(probe("sys_*") == "kprobe:sys_*");
}

TEST_CASE("probes of bcc that are not there are refused at their column") {
  CHECK(said("u::none").starts_with("probe:1:1: a static probe has a file and a name"));
  CHECK(said("q::vfs_read").starts_with("probe:1:1: no kind of probe is called 'q'"));
  CHECK(said("kfree_skb+56").starts_with("probe:1:1: functions are traced where they begin"));
  CHECK(said("t::x").starts_with("probe:1:1: a tracepoint has a category"));
  CHECK(said("").starts_with("probe:1:1: expected a function"));
  CHECK(said("p::").starts_with("probe:1:1: the name of the function is missing"));
  CHECK(said("x{}").starts_with("probe:1:1: this cannot be the name of a function"));
}

TEST_CASE("regular expressions become patterns, or are refused") {
  CHECK(probe("^vfs_.*", true) == "kprobe:vfs_*");
  CHECK(probe("^vfs_read$", true) == "kprobe:vfs_read");
  CHECK(probe("vfs_read", true) == "kprobe:vfs_read*");
  CHECK(probe("^vfs_read$|^vfs_w.[ir]te$", true) == "kprobe:vfs_read,kprobe:vfs_w?[ir]te");
  CHECK(probe("c:m.+c$", true) == "uprobe:c:m?*c");
  CHECK(probe("c:(write|read)$", true) == "uprobe:c:write,uprobe:c:read");
  for (const char *text : {"a+", "a$b", "[^a]", "a{2}", "((a|b)|c)", "(", "a?"})
    CHECK(said(text, true).starts_with("probe:1:1: a pattern cannot say this regular expression"));
}

TEST_CASE("expressions of bcc in the words of the probe language") {
  CHECK(value("arg2 == 42") == "arg1 == 42");
  CHECK(value("(arg3 > 20000)") == "(arg2 > 20000)");
  CHECK(value("args->nr_sector") == "args->nr_sector");
  CHECK(value("args->arg1") == "args->arg1");
  CHECK(value("$pid, $tgid, $uid, $cpu") == "tid, pid, uid, cpu");
  CHECK(value("$task->comm") == "curtask->comm");
  CHECK(value("STRCMP(\"a(b\", arg1) && arg2") == "(str(arg0) == \"a(b\") && arg1");
  CHECK(value("!STRCMP(\"a\", $entry(name))", {{"$entry(name)", "$kept0"}}) == "!(str($kept0) == \"a\")");
  CHECK(value("sk->sk_rcvbuf > size", {{"sk", "((struct sock *)arg0)"}, {"size", "((int)arg1)"}}) ==
        "((struct sock *)arg0)->sk_rcvbuf > ((int)arg1)");
  const Source source("probe", "arg2@user");
  CHECK(bcc_expression(source, bcc_tokens(source, 0), BccPlace{}.known()).in_user_space);
  CHECK(value("(int)$retval < 0", BccPlace{.type = 'r'}.known()) == "(int)retval < 0");
}

TEST_CASE("what cannot stand in an expression is marked") {
  CHECK(fault("arg1 = 3").find("probe:1:6: '='") == 0);
  CHECK(fault("({ 1; })").find("probe:1:2: '{'") == 0);
  CHECK(fault("arg1", {}).find("probe:1:1: arg1 is not known here") == 0);
  CHECK(fault("$pdi").find("probe:1:1: '$pdi' is not known here") == 0);
  CHECK(fault("STRCMP(arg1, \"a\")").find("expected STRCMP(\"text\", pointer)") != std::string::npos);
  CHECK(fault("STRCMP()").find("probe:1:1: expected STRCMP") == 0);
  CHECK(fault("STRCMP(, arg1)").find("probe:1:1: expected STRCMP") == 0);
  CHECK(fault("$entry(a)").find("expected $entry(NAME)") != std::string::npos);
  CHECK(fault("STRCMP(\"a\", arg1").find("this parenthesis has no end") != std::string::npos);
}

TEST_CASE("parameters of a signature by their places and types") {
  const BccNames names =
      signature("p::f(struct sock *sk, const char __user *name, size_t n, mode_t mode, unsigned int flags)");
  CHECK(names.at("sk") == "((struct sock *)arg0)");
  CHECK(names.at("name") == "((char *)arg1)");
  CHECK(names.at("n") == "((size_t)arg2)");
  CHECK(names.at("mode") == "arg3");
  CHECK(names.at("flags") == "((unsigned int)arg4)");
  CHECK(signature("t:a:b(void)").empty());
}

}  // namespace strata::expr
