// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Four threads, each with a file and a prime number of writes of its own, then fsync: `threads DIR`.
// Prints {"writes":N}.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kCounts[] = {251, 257, 263, 269};

void write_file(const std::string &path, int count) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  const std::vector<char> block(3000, 't');
  for (int i = 0; i < count; i++) {
    if (write(fd, block.data(), block.size()) != static_cast<ssize_t>(block.size())) abort();
  }
  if (fsync(fd) != 0) abort();
  close(fd);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  std::vector<std::thread> threads;
  int sum = 0;
  for (const int count : kCounts) {
    threads.emplace_back(write_file, std::string(argv[1]) + "/thread" + std::to_string(count), count);
    sum += count;
  }
  for (std::thread &thread : threads) thread.join();
  printf("{\"writes\":%d}\n", sum);
}
