// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a tool costs besides its operations, for scripts/bench:
//   report start COMMAND...   runs COMMAND and lets the next one know when that was
//   report ready              as a command of the tool: milliseconds from start to here, that is until all was attached
//   report memory PID         the most memory that a process ever had, in KiB
//   report cpu N COMMAND...   CPU time of COMMAND divided by N, in nanoseconds
//   report programs           all BPF programs: name, runs, ns per run, bytes of machine code, instructions the verifier walked
#include <bpf/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int start(char **command) {
  char text[32];
  snprintf(text, sizeof(text), "%llu", (unsigned long long)now_ns());
  setenv("REPORT_START", text, 1);
  execvp(command[0], command);
  perror(command[0]);
  return 1;
}

static int ready(void) {
  const char *from = getenv("REPORT_START");
  if (!from) return 1;
  printf("%.1f\n", (double)(now_ns() - strtoull(from, NULL, 10)) / 1e6);
  return 0;
}

static int memory(const char *pid) {
  char path[64], line[256];
  snprintf(path, sizeof(path), "/proc/%s/status", pid);
  FILE *file = fopen(path, "r");
  unsigned long kib;
  while (file && fgets(line, sizeof(line), file)) {
    if (sscanf(line, "VmHWM: %lu", &kib) == 1) return printf("%lu\n", kib) < 0;
  }
  return 1;
}

// What the scheduler counted: it stays the same when others use the machine, as the time of the clock does not.
static int cpu(const char *operations, char **command) {
  struct rusage use;
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    execvp(command[0], command);
    _exit(127);
  }
  if (pid < 0 || wait4(pid, &status, 0, &use) != pid || status != 0) return 1;
  double us = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e6 +
              (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
  printf("%.1f\n", us * 1e3 / strtod(operations, NULL));
  return 0;
}

static int programs(void) {
  for (uint32_t id = 0; bpf_prog_get_next_id(id, &id) == 0;) {
    struct bpf_prog_info info = {0};
    uint32_t size = sizeof(info);
    int fd = bpf_prog_get_fd_by_id(id);
    if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0)
      printf("%s %llu %.1f %u %u\n", info.name, (unsigned long long)info.run_cnt,
             info.run_cnt ? (double)info.run_time_ns / (double)info.run_cnt : 0, info.jited_prog_len,
             info.verified_insns);
    close(fd);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "start")) return start(argv + 2);
  if (argc > 3 && !strcmp(argv[1], "cpu")) return cpu(argv[2], argv + 3);
  if (argc == 2 && !strcmp(argv[1], "ready")) return ready();
  if (argc == 3 && !strcmp(argv[1], "memory")) return memory(argv[2]);
  if (argc == 2 && !strcmp(argv[1], "programs")) return programs();
  return 2;
}
