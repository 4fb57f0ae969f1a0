// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/elf_reader.h"

#include <time.h>
#include <unistd.h>

namespace strata {
namespace {

constexpr uint64_t kFreeBytes = 1 << 20;     // may be read of any file
constexpr uint64_t kReadsOfByte = 16;        // and so often each byte on disk: some are compressed, or read again
constexpr int64_t kMostCpuNs = 500'000'000;  // glibc takes 2 ms, a program with a million symbols some 100

int64_t cpu_ns() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

ElfReader::ElfReader(int fd, uint64_t bytes, uint64_t stored)
    : fd_(fd), bytes_(bytes), budget_(kFreeBytes + kReadsOfByte * stored), until_ns_(cpu_ns() + kMostCpuNs) {}

bool ElfReader::may_read(uint64_t offset, uint64_t count, size_t size) {
  if (offset > bytes_ || count > (bytes_ - offset) / size) return false;
  if (count * size > budget_) why_ = "they are more than the file has on disk";
  return why_.empty();
}

bool ElfReader::read(uint64_t offset, void *to, size_t size) {
  if (!may_read(offset, size, 1)) return false;
  budget_ -= size;
  return pread(fd_, to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

bool ElfReader::goes_on() {
  if (why_.empty() && cpu_ns() > until_ns_) why_ = "it takes too long";
  return why_.empty();
}

}  // namespace strata
