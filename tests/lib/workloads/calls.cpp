// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A known number of system calls: 1009 getppid, 503 close of no file, 11 clone or fork, 7 signals that return, 5 sleeps
// of 20 ms, 3 calls of a number that is nobody's. With the argument 32 instead 13 getpid as a 32-bit program has them,
// and 7 write; with threads 101 getppid of a thread "one", 211 of "two" and 53 of the first thread; with names 2 under
// each of 4001 names; with overlaps 7 clone3, within each of which a child calls getppid whose number shares its line
// of beginnings.
#include <linux/sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

#include "call32.h"

namespace {

void times(int n, auto call) {
  for (int i = 0; i < n; i++) call();
}

void make_child() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  if (pid < 0 || waitpid(pid, nullptr, 0) != pid) exit(1);
}

void as_32_bit() {
  times(13, [] {
    if (call32(20) != getpid()) exit(1);
  });
  times(7, [] {
    if (call32(4, 1) != 0) exit(1);  // write(1, NULL, 0)
  });
}

void getppids(const char *name, int n) {
  prctl(PR_SET_NAME, name);
  times(n, [] { syscall(SYS_getppid); });
}

void in_threads() {
  std::thread one([] { getppids("one", 101); }), two([] { getppids("two", 211); });
  one.join();
  two.join();
  times(53, [] { syscall(SYS_getppid); });
}

void under_names() {
  for (int i = 0; i < 4001; i++) {
    char name[16];
    snprintf(name, sizeof(name), "name %d", i);
    getppids(name, 2);
  }
}

// A line is chosen by the last 14 bits of a thread's number. False if the child's number is taken.
bool overlap() {
  const pid_t tid = getpid() ^ 16384;
  clone_args args = {};
  args.flags = CLONE_VFORK;  // the call ends with the child
  args.exit_signal = SIGCHLD;
  args.set_tid = reinterpret_cast<uint64_t>(&tid);
  args.set_tid_size = 1;
  const long pid = syscall(SYS_clone3, &args, sizeof(args));
  if (pid == 0) {
    syscall(SYS_getppid);
    _exit(0);
  }
  if (pid < 0 && errno == EEXIST) return false;
  if (pid < 0 || waitpid(tid, nullptr, 0) != tid) exit(1);
  return true;
}

void overlap_often() {
  while (!overlap()) {
    const pid_t other = fork();
    int status = 0;
    if (other > 0) exit(waitpid(other, &status, 0) == other ? WEXITSTATUS(status) : 1);
    if (other < 0) exit(1);
  }
  times(6, [] {
    if (!overlap()) exit(1);
  });
}

}  // namespace

int main(int argc, char **argv) {
  const char *instead = argc > 1 ? argv[1] : "";
  if (strcmp(instead, "32") == 0) return as_32_bit(), 0;
  if (strcmp(instead, "threads") == 0) return in_threads(), 0;
  if (strcmp(instead, "names") == 0) return under_names(), 0;
  if (strcmp(instead, "overlaps") == 0) return overlap_often(), 0;
  signal(SIGUSR1, [](int) {});
  times(1009, [] { syscall(SYS_getppid); });
  times(503, [] { syscall(SYS_close, -1); });
  times(11, make_child);
  times(7, [] { kill(getpid(), SIGUSR1); });
  times(5, [] {
    const timespec nap = {.tv_sec = 0, .tv_nsec = 20'000'000};
    syscall(SYS_nanosleep, &nap, nullptr);
  });
  times(3, [] { syscall(9999); });
  return 0;
}
