// Write calls and nothing else, for scripts/bench: prints nanoseconds per call after a warm-up.
//   writes rewrite FILE N   4 KiB to pages that are in the page cache and dirty
//   writes extend FILE N    4 KiB to new pages of an empty file
//   writes null FILE N      512 bytes to FILE, meant for /dev/null
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, PAGES = 1024, NULL_BLOCK = 512, WARM_UP = 2 * PAGES };

static char block[BLOCK];

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void check(ssize_t got, ssize_t wanted) {
  if (got != wanted) {
    perror("writes");
    exit(1);
  }
}

static void rewrite(int fd, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) check(pwrite(fd, block, BLOCK, (off_t)(i % PAGES * BLOCK)), BLOCK);
}

static void extend(int fd, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) check(write(fd, block, BLOCK), BLOCK);
}

static void to_null(int fd, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) check(write(fd, block, NULL_BLOCK), NULL_BLOCK);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  void (*loop)(int, uint64_t) = !strcmp(argv[1], "rewrite") ? rewrite : !strcmp(argv[1], "extend") ? extend : to_null;
  uint64_t n = strtoull(argv[3], NULL, 10), start;
  // A file that is new and has no name any more: ext4 starts to write a truncated one back when it is closed, and that
  // would fall into the next run.
  bool file = loop != to_null;
  if (file) unlink(argv[2]);
  int fd = open(argv[2], O_WRONLY | O_CREAT, 0600);
  if (file) unlink(argv[2]);
  if (fd < 0 || n == 0) {
    perror(argv[2]);
    return 1;
  }
  loop(fd, WARM_UP);
  start = now_ns();
  loop(fd, n);
  printf("%.1f\n", (double)(now_ns() - start) / (double)n);
  return 0;
}
