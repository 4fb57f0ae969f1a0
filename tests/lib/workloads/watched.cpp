// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// 101 writes to a number at the address 0x10000000, and 7 reads of it.
#include <sys/mman.h>

int main() {
  void *page = mmap(reinterpret_cast<void *>(0x10000000), 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (page == MAP_FAILED) return 1;
  auto *number = static_cast<volatile int *>(page);
  int sum = 0;
  for (int i = 0; i < 101; i++) *number = i;
  for (int i = 0; i < 7; i++) sum += *number;
  return sum == 700 ? 0 : 1;
}
