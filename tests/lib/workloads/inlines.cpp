// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Calls outer(), into which middle() is inlined, into which inner() is, and spends the time there:
//	inlines MS		in a loop, MS milliseconds of CPU time
//	inlines calls N		N times in work(), which is not inlined: it opens a file that is not there, keeps 1,009
//				bytes, sleeps 3 ms, and waits as long for a futex that nobody wakes
// The comments name the lines for tests.
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static double cpu_ms() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

namespace known {

bool calls;

[[gnu::noinline]] void work() {
  const timespec wait = {.tv_sec = 0, .tv_nsec = 3'000'000};
  unsigned futex = 2;
  void *volatile kept = malloc(1009);
  sink = sink + (kept != nullptr) + static_cast<unsigned long>(open("nosuchfile", O_RDONLY));
  usleep(3000);
  syscall(SYS_futex, &futex, FUTEX_WAIT_PRIVATE, 2, &wait, nullptr, 0);
}

[[gnu::always_inline]] inline void inner(unsigned long turns) {
  if (calls) work();                // line of the call
  while (turns--) sink = sink * 7;  // line of inner
}

[[gnu::always_inline]] inline void middle(unsigned long turns) {
  sink = sink + 1;
  inner(turns);  // line of middle
}

[[gnu::noinline]] void outer(unsigned long turns) {
  sink = sink + 2;
  middle(turns);  // line of outer
  sink = sink + 3;
}

}  // namespace known

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "calls") == 0) {
    known::calls = true;
    for (int i = atoi(argv[2]); i > 0; i--) known::outer(1);
    return 0;
  }
  const double ms = argc == 2 ? atof(argv[1]) : 0;
  if (ms <= 0) {
    fprintf(stderr, "usage: inlines MS | calls N\n");
    return 2;
  }
  while (cpu_ms() < ms) known::outer(100000);
  return 0;
}
