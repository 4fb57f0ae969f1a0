// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// 101 writes to a number at the address 0x10000000, and 7 reads of it. It watches over the writes itself, too, and
// prints how many it counted: on some virtual machines none, as their processors have no such registers though the
// kernel takes the request.
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

int main() {
  void *page = mmap(reinterpret_cast<void *>(0x10000000), 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (page == MAP_FAILED) return 1;
  perf_event_attr writes = {};
  writes.type = PERF_TYPE_BREAKPOINT;
  writes.size = sizeof(writes);
  writes.bp_type = HW_BREAKPOINT_W;
  writes.bp_addr = reinterpret_cast<uintptr_t>(page);
  writes.bp_len = HW_BREAKPOINT_LEN_4;
  const int counter = static_cast<int>(syscall(SYS_perf_event_open, &writes, 0, -1, -1, 0));
  auto *number = static_cast<volatile int *>(page);
  int sum = 0;
  for (int i = 0; i < 101; i++) *number = i;
  for (int i = 0; i < 7; i++) sum += *number;
  uint64_t counted = 0;
  if (counter >= 0 && read(counter, &counted, sizeof(counted)) != sizeof(counted)) return 1;
  printf("its own count: %llu\n", static_cast<unsigned long long>(counted));
  return sum == 700 ? 0 : 1;
}
