// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Workloads of processes, memory and the processor.
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

#include "ops.h"

namespace {

constexpr size_t kAllocation = 64;
constexpr uint64_t kSpin = 1000000;

struct Pipe {
  int ends[2];
  Pipe() { check(pipe(ends), 0, "pipe"); }
};

// What it gets by one pipe it sends back by the other, until there is nobody to send.
struct Echo {
  Pipe there, back;
  Echo() {
    // A batch task that wakes up does not preempt: each half of the trip is one wake-up and one switch, always.
    const sched_param no_priority = {};
    check(sched_setscheduler(0, SCHED_BATCH, &no_priority), 0, "sched_setscheduler");
    const pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid > 0) {
      close(there.ends[0]);
      close(back.ends[1]);
      return;
    }
    close(there.ends[1]);
    close(back.ends[0]);
    char c = 0;
    while (read(there.ends[0], &c, 1) == 1) check(write(back.ends[1], &c, 1), 1, "write");
    _exit(0);
  }
};

void futex_wait(uint32_t *word, uint32_t value) {
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) syscall(SYS_futex, word, FUTEX_WAIT, value, nullptr);
}

void futex_set(uint32_t *word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, word, FUTEX_WAKE, 1);
}

// A word that another process sets back to 0, as long as there is somebody to set it.
struct Turn {
  uint32_t *word;
  Turn()
      : word(static_cast<uint32_t *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    const sched_param no_priority = {};  // as of Echo
    if (word == MAP_FAILED) die("mmap");
    check(sched_setscheduler(0, SCHED_BATCH, &no_priority), 0, "sched_setscheduler");
    const pid_t pid = fork();
    if (pid < 0) die("fork");
    if (pid > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
      futex_wait(word, 0);
      futex_set(word, 0);
    }
  }
};

}  // namespace

void run_itself(uint64_t n, const char *) {
  for (uint64_t i = 0; i < n; i++) {
    const pid_t pid = fork();
    if (pid == 0) {
      execl("/proc/self/exe", "ops", "--nothing", nullptr);
      _exit(127);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) die("fork and exec");
  }
}

void ping_pong(uint64_t n, const char *) {
  static const Echo echo;
  char c = 0;
  for (uint64_t i = 0; i < n; i++) {
    check(write(echo.there.ends[1], &c, 1), 1, "write");
    check(read(echo.back.ends[0], &c, 1), 1, "read");
  }
}

void take_turns(uint64_t n, const char *) {
  static const Turn turn;
  for (uint64_t i = 0; i < n; i++) {
    futex_set(turn.word, 1);
    futex_wait(turn.word, 1);
  }
}

// Past the library, which might remember the answer.
void get_ppid(uint64_t n, const char *) {
  for (uint64_t i = 0; i < n; i++) syscall(SYS_getppid);
}

void send_signal(uint64_t n, const char *) {
  const pid_t me = getpid();
  signal(SIGUSR2, SIG_IGN);
  for (uint64_t i = 0; i < n; i++) check(kill(me, SIGUSR2), 0, "kill");
}

void allocate(uint64_t n, const char *) {
  for (uint64_t i = 0; i < n; i++) {
    void *volatile memory = std::malloc(kAllocation);
    std::free(memory);
  }
}

// 512 at a time, small ones.
void touch_pages(uint64_t n, const char *) {
  constexpr size_t kPage = 4096, kPages = 512;
  for (uint64_t i = 0; i < n; i += kPages) {
    void *memory = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) die("mmap");
    madvise(memory, kPages * kPage, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < kPages; at++) static_cast<volatile char *>(memory)[at * kPage] = 1;
    munmap(memory, kPages * kPage);
  }
}

// An iteration is an addition, a comparison and a branch; the empty statement keeps the compiler from removing it.
void spin(uint64_t n, const char *) {
  for (uint64_t i = 0; i < n * (kSpin / 3); i++) __asm__ volatile("");
}
