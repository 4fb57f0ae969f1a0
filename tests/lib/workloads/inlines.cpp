// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Spends MS milliseconds of CPU time in a loop of inner(), which is inlined into middle(), which is inlined into
// outer(). The comments name the lines for tests.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

static double cpu_ms() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

namespace known {

[[gnu::always_inline]] inline void inner(unsigned long turns) {
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
  const double ms = argc == 2 ? atof(argv[1]) : 0;
  if (ms <= 0) {
    fprintf(stderr, "usage: inlines MS\n");
    return 2;
  }
  while (cpu_ms() < ms) known::outer(100000);
  return 0;
}
