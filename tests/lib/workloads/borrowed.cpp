// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// O_DIRECT writes whose bytes come from pages that others own: `borrowed DIR`. One buffered write of 4 KiB to
// DIR/source, 3 direct ones from a mapping of it to DIR/from-file, 7 of two swapped vectors of shared memory to
// DIR/from-memory.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr size_t kPage = 4096;

int opened(const std::string &path, int flags) {
  const int fd = open(path.c_str(), flags | O_RDWR | O_CREAT | O_EXCL, 0600);
  if (fd < 0) abort();
  return fd;
}

char *shared(size_t bytes, int flags, int fd) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);
  if (memory == MAP_FAILED) abort();
  return static_cast<char *>(memory);
}

void wrote(ssize_t got, size_t wanted) {
  if (got != static_cast<ssize_t>(wanted)) abort();
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const std::string dir = argv[1];
  static char block[kPage];
  const int source = opened(dir + "/source", 0), from_file = opened(dir + "/from-file", O_DIRECT);
  wrote(write(source, block, kPage), kPage);
  char *page = shared(kPage, 0, source);
  for (off_t i = 0; i < 3; i++) wrote(pwrite(from_file, page, kPage, i * static_cast<off_t>(kPage)), kPage);
  char *memory = shared(16 * kPage, MAP_ANONYMOUS, -1);
  memset(memory, 1, 16 * kPage);
  const iovec swapped[] = {{memory + 4 * kPage, kPage}, {memory, kPage}};
  const int from_memory = opened(dir + "/from-memory", O_DIRECT);
  for (off_t i = 0; i < 7; i++) wrote(pwritev(from_memory, swapped, 2, 2 * i * static_cast<off_t>(kPage)), 2 * kPage);
}
