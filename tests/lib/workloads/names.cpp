// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// names N: takes N names one after the other, each with one getppid(2), as somebody would who wants to fill a table of
// processes; after six seconds, when a busy host too has taken idle names away, it takes one more, "late", and calls
// getppid 1009 times.
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

void call(const char *name, int times) {
  prctl(PR_SET_NAME, name);
  for (int i = 0; i < times; ++i) getppid();
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  for (int i = 0; i < atoi(argv[1]); ++i) {
    char name[16];
    snprintf(name, sizeof(name), "n%d", i);
    call(name, 1);
  }
  call("idle", 1);
  sleep(6);
  call("late", 1009);
  return 0;
}
