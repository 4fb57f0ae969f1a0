// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Many threads, each with one O_DIRECT write of 4 KiB to its own place in a file that has been written before, all at
// once: `crowd FILE THREADS`.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr size_t kPage = 4096;

int fd;
pthread_barrier_t together;
alignas(kPage) char page[kPage];

void *write_one(void *place) {
  pthread_barrier_wait(&together);
  const off_t offset = static_cast<off_t>(reinterpret_cast<uintptr_t>(place) * kPage);
  return pwrite(fd, page, kPage, offset) == static_cast<ssize_t>(kPage) ? place : nullptr;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const unsigned count = static_cast<unsigned>(atoi(argv[2]));
  fd = open(argv[1], O_WRONLY | O_DIRECT);
  if (fd < 0) {
    perror(argv[1]);
    return 1;
  }
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pthread_barrier_init(&together, nullptr, count);
  std::vector<pthread_t> threads(count);
  for (uintptr_t i = 0; i < count; i++) {
    if (pthread_create(&threads[i], &small, write_one, reinterpret_cast<void *>(i)) != 0) abort();
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}
