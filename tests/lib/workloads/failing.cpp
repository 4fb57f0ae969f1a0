// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// 53 writes of a page, each followed by one of the same page from an address that is not there: `failing DIR`. The
// second fails, and must not take the first's place from it. Then fsync.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

int main(int argc, char **argv) {
  constexpr int kWrites = 53;
  static char page[4096];
  const std::string path = std::string(argc > 1 ? argv[1] : ".") + "/failing";
  const int fd = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  char *volatile nowhere = nullptr;  // volatile: the compiler must not know better
  int failed = 0;
  for (int i = 0; i < kWrites; i++) {
    const off_t at = off_t{i} * 2 * 4096;
    if (pwrite(fd, page, sizeof(page), at) != sizeof(page)) return 1;
    failed += pwrite(fd, nowhere + 8, sizeof(page), at) < 0;
  }
  return fd < 0 || failed != kWrites || fsync(fd) != 0;
}
