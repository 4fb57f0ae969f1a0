// What a tool costs besides its operations, for scripts/bench:
//   report start COMMAND...   runs COMMAND and lets the next one know when that was
//   report ready              as a command of the tool: milliseconds from start to here, that is until all was attached
//   report memory             as a command of the tool: the most memory that its parent, the tool, ever had, in KiB
//   report programs           all BPF programs that ran: name, runs, ns per run, bytes of bytecode, bytes of machine code
#include <bpf/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int memory(void) {
  char path[64], line[256];
  snprintf(path, sizeof(path), "/proc/%d/status", getppid());
  FILE *file = fopen(path, "r");
  unsigned long kib;
  while (file && fgets(line, sizeof(line), file)) {
    if (sscanf(line, "VmHWM: %lu", &kib) == 1) return printf("%lu\n", kib) < 0;
  }
  return 1;
}

static int programs(void) {
  for (uint32_t id = 0; bpf_prog_get_next_id(id, &id) == 0;) {
    struct bpf_prog_info info = {0};
    uint32_t size = sizeof(info);
    int fd = bpf_prog_get_fd_by_id(id);
    if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0 && info.run_cnt)
      printf("%s %llu %.1f %u %u\n", info.name, (unsigned long long)info.run_cnt,
             (double)info.run_time_ns / (double)info.run_cnt, info.xlated_prog_len, info.jited_prog_len);
    close(fd);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "start")) return start(argv + 2);
  if (argc == 2 && !strcmp(argv[1], "ready")) return ready();
  if (argc == 2 && !strcmp(argv[1], "memory")) return memory();
  if (argc == 2 && !strcmp(argv[1], "programs")) return programs();
  return 2;
}
