// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Sends signals in every way that there is, and prints what must be seen of each, as a line of JSON.
//   signals           each system call, origin and result once
//   signals storm N   N signals to itself, which it ignores
//   signals crash     a bad address ends it
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "call32.h"

namespace {

constexpr int kGroup = 3;

[[noreturn]] void die(const char *what) {
  perror(what);
  exit(1);
}

void check(bool ok, const char *what) {
  if (!ok) die(what);
}

// 0 is null: nobody, or the process as a whole.
std::string number(long n) { return n != 0 ? std::to_string(n) : "null"; }

struct Expected {
  const char *signal, *code, *result;
  long sender, target, thread = 0;
  const char *origin = "call", *target_comm = "\"signals\"";
};

void expect(const Expected &e) {
  printf("{\"type\":\"expected\",\"row\":[%s,\"%s\",%s,%s,%s,\"%s\",\"%s\",\"%s\"]}\n", number(e.sender).c_str(),
         e.signal, number(e.target).c_str(), number(e.thread).c_str(), e.target_comm, e.code, e.result, e.origin);
}

void handled(int) {}

void handle(int signal, void (*how)(int)) {
  struct sigaction action = {};
  action.sa_handler = how;
  check(sigaction(signal, &action, nullptr) == 0, "sigaction");
}

void block(int signal, int how = SIG_BLOCK) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  check(sigprocmask(how, &set, nullptr) == 0, "sigprocmask");
}

template <typename Function>
pid_t child(Function run) {
  fflush(stdout);
  const pid_t pid = fork();
  check(pid >= 0, "fork");
  if (pid > 0) return pid;
  run();
  fflush(stdout);
  _exit(3);
}

// Its end is a signal to this process, which ignores that.
void ends(pid_t pid, const char *code) {
  check(waitpid(pid, nullptr, 0) == pid, "waitpid");
  expect({"SIGCHLD", code, "ignored", pid, getpid(), 0, "act"});
}

// Blocked before, so that it cannot come before the wait.
void await(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  check(sigwaitinfo(&set, nullptr) == signal, "sigwaitinfo");
}

siginfo_t queued(int code) {
  siginfo_t info = {};
  info.si_code = code;
  info.si_pid = getpid();
  return info;
}

void by_each_call(pid_t me) {
  handle(SIGUSR1, handled);
  kill(me, SIGUSR1);
  expect({"SIGUSR1", "SI_USER", "sent", me, me});
  syscall(SYS_tkill, me, SIGUSR1);
  expect({"SIGUSR1", "SI_TKILL", "sent", me, me, me});
  syscall(SYS_tgkill, me, me, SIGUSR1);
  expect({"SIGUSR1", "SI_TKILL", "sent", me, me, me});
  handle(SIGRTMIN + 1, handled);
  sigqueue(me, SIGRTMIN + 1, {});
  expect({"SIGRTMIN+1", "SI_QUEUE", "sent", me, me});
  siginfo_t info = queued(SI_ASYNCIO);
  syscall(SYS_rt_tgsigqueueinfo, me, me, SIGUSR1, &info);
  expect({"SIGUSR1", "SI_ASYNCIO", "sent", me, me, me});
  const long pidfd = syscall(SYS_pidfd_open, me, 0);
  syscall(SYS_pidfd_send_signal, pidfd, SIGUSR1, nullptr, 0);
  expect({"SIGUSR1", "SI_USER", "sent", me, me});
  kill(me, 0);
  expect({"0", "SI_USER", "exists", me, me, 0, "call", "null"});
}

void by_each_result(pid_t me) {
  handle(SIGUSR2, SIG_IGN);
  kill(me, SIGUSR2);
  expect({"SIGUSR2", "SI_USER", "ignored", me, me});
  block(SIGTERM);
  for (const char *result : {"sent", "pending"}) {
    kill(me, SIGTERM);
    expect({"SIGTERM", "SI_USER", result, me, me});
  }
  // No memory for any more of this user's.
  rlimit limit = {};
  getrlimit(RLIMIT_SIGPENDING, &limit);
  const rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
  check(setrlimit(RLIMIT_SIGPENDING, &none) == 0, "setrlimit");
  block(SIGRTMIN);
  check(sigqueue(me, SIGRTMIN, {}) < 0 && errno == EAGAIN, "the queue is not full");
  expect({"SIGRTMIN", "SI_QUEUE", "EAGAIN", me, me});
  kill(me, SIGRTMIN);
  expect({"SIGRTMIN", "SI_USER", "no info", me, me});
  check(setrlimit(RLIMIT_SIGPENDING, &limit) == 0, "setrlimit");
}

// Of calls that fail only the call knows the receiver: no name, and what it says of a group.
void failing(pid_t me) {
  const pid_t gone = child([] {});
  ends(gone, "CLD_EXITED");
  const auto fails = [&](long result, const char *signal, const char *code, const char *error, long target,
                         long tid = 0) {
    check(result < 0, "a call did not fail");
    expect({signal, code, error, getpid(), target, tid, "call", "null"});
  };
  fails(kill(gone, SIGTERM), "SIGTERM", "SI_USER", "ESRCH", gone);
  fails(kill(-gone, SIGTERM), "SIGTERM", "SI_USER", "ESRCH", -gone);
  fails(kill(gone, 0), "0", "SI_USER", "ESRCH", gone);
  fails(kill(me, 65), "signal 65", "SI_USER", "EINVAL", me);
  fails(syscall(SYS_tkill, gone, SIGHUP), "SIGHUP", "SI_TKILL", "ESRCH", 0, gone);
  fails(syscall(SYS_tgkill, me, gone, SIGHUP), "SIGHUP", "SI_TKILL", "ESRCH", me, gone);
  fails(sigqueue(gone, SIGHUP, {}), "SIGHUP", "SI_QUEUE", "ESRCH", gone);
  siginfo_t info = queued(SI_ASYNCIO);
  fails(syscall(SYS_rt_tgsigqueueinfo, gone, gone, SIGHUP, &info), "SIGHUP", "SI_ASYNCIO", "ESRCH", gone, gone);
  fails(syscall(SYS_pidfd_send_signal, -1, SIGHUP, nullptr, 0), "SIGHUP", "SI_USER", "EBADF", 0);
  if (has_call32()) fails(call32(37, gone, SIGHUP), "SIGHUP", "SI_USER", "ESRCH", gone);
  const pid_t nobody = child([&] {
    check(syscall(SYS_setuid, 65534) == 0, "setuid");
    fails(kill(me, SIGUSR1), "SIGUSR1", "SI_USER", "EPERM", me);
  });
  ends(nobody, "CLD_EXITED");
}

void to_a_group(pid_t me) {
  pid_t all[kGroup];
  for (int i = 0; i < kGroup; i++) {
    all[i] = child([] {
      block(SIGTERM, SIG_UNBLOCK);
      for (;;) pause();
    });
    check(setpgid(all[i], all[0]) == 0, "setpgid");
  }
  kill(-all[0], SIGKILL);
  for (const pid_t one : all) {
    expect({"SIGKILL", "SI_USER", "sent", me, one});
    ends(one, "CLD_KILLED");
  }
}

[[noreturn]] void crash() {
  const rlimit none = {};
  setrlimit(RLIMIT_CORE, &none);
  volatile uintptr_t nowhere = 8;  // or the compiler sees that it is
  *reinterpret_cast<volatile int *>(nowhere) = 1;
  _exit(1);
}

void by_the_kernel(pid_t me) {
  handle(SIGPIPE, SIG_IGN);
  int ends_of_pipe[2];
  check(pipe(ends_of_pipe) == 0, "pipe");
  close(ends_of_pipe[0]);
  check(write(ends_of_pipe[1], "x", 1) < 0 && errno == EPIPE, "a pipe without a reader");
  expect({"SIGPIPE", "SI_USER", "ignored", me, me, me, "act"});

  const pid_t crashed = child(crash);
  expect({"SIGSEGV", "SEGV_MAPERR", "sent", 0, crashed, crashed, "kernel"});
  ends(crashed, "CLD_KILLED");

  block(SIGALRM);
  const itimerval soon = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 20000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  await(SIGALRM);
  expect({"SIGALRM", "SI_KERNEL", "sent", 0, me, 0, "kernel"});

  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  timer_t timer;
  const itimerspec later = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = 20'000'000}};
  check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
  block(SIGUSR1);
  timer_settime(timer, 0, &later, nullptr);
  await(SIGUSR1);
  expect({"SIGUSR1", "SI_TIMER", "sent", 0, me, 0, "kernel"});
}

void storm(uint64_t n) {
  handle(SIGUSR2, SIG_IGN);
  for (uint64_t i = 0; i < n; i++) check(kill(getpid(), SIGUSR2) == 0, "kill");
}

}  // namespace

int main(int argc, char **argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const pid_t me = getpid();
  if (mode == "storm" && argc == 3) {
    storm(strtoull(argv[2], nullptr, 10));
  } else if (mode == "crash") {
    crash();
  } else if (mode.empty()) {
    by_each_call(me);
    by_each_result(me);
    failing(me);
    to_a_group(me);
    by_the_kernel(me);
  } else {
    return 2;
  }
  return 0;
}
