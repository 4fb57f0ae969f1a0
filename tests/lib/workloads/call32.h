// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// System calls of 32 bits by a program of 64, of x86 alone. Some kernels have none, and some machines kill who tries:
// then the runner of tests says so (tests/lib/live/one), as a trial here would be one more event.
#pragma once

#include <cstdlib>

#ifdef __x86_64__
inline bool has_call32() { return getenv("NO_CALL32") == nullptr; }

// Its pointers must lie below 4 GiB. A negative errno, or the result.
inline long call32(int number, long a = 0, long b = 0, long c = 0, long d = 0) {
  long result = number;
  asm volatile("int $0x80" : "+a"(result) : "b"(a), "c"(b), "d"(c), "S"(d) : "memory", "r8", "r9", "r10", "r11");
  return result;
}
#else
inline bool has_call32() { return false; }
inline long call32(int, long = 0, long = 0, long = 0, long = 0) { return -1; }
#endif
