// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Workloads on files and devices.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "ops.h"

namespace {

constexpr size_t kBlock = 4096, kPages = 1024, kNullBlock = 512;
constexpr off_t kDeviceBytes = 256 << 20;

alignas(kBlock) char block[kBlock];

off_t turn(uint64_t i) { return static_cast<off_t>(i % kPages * kBlock); }

int opened(const char *path, int flags) {
  const int fd = open(path, flags | O_CLOEXEC);
  if (fd < 0) die(path);
  return fd;
}

}  // namespace

int nameless_file(const char *path) {
  unlink(path);
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || unlink(path) != 0) die(path);
  return fd;
}

void open_close(uint64_t n, const char *where) {
  for (uint64_t i = 0; i < n; i++) close(opened(where, O_RDONLY));
}

void stat_file(uint64_t n, const char *where) {
  struct stat s;
  for (uint64_t i = 0; i < n; i++) check(stat(where, &s), 0, where);
}

void read_device(uint64_t n, const char *where) {
  static const int fd = opened(where, O_RDONLY | O_DIRECT);
  static off_t at = 0;
  for (uint64_t i = 0; i < n; i++) {
    check(pread(fd, block, kBlock, at), kBlock, where);
    at = (at + static_cast<off_t>(kBlock)) % kDeviceBytes;
  }
}

void write_read(uint64_t n, const char *where) {
  static const int fd = nameless_file(where);
  for (uint64_t i = 0; i < n; i++) {
    check(pwrite(fd, block, kBlock, 0), kBlock, where);
    check(pread(fd, block, kBlock, 0), kBlock, where);
  }
}

void read_again(uint64_t n, const char *where) {
  alignas(kBlock) static char buffer[16 * kBlock];
  static int fd = -1;
  if (fd < 0) {
    fd = nameless_file(where);
    check(pwrite(fd, buffer, sizeof(buffer), 0), sizeof(buffer), where);
  }
  for (uint64_t i = 0; i < n; i++) check(pread(fd, buffer, sizeof(buffer), 0), sizeof(buffer), where);
}

// The first call has to make the pages, whatever its n.
void write_dirty(uint64_t n, const char *where) {
  static int fd = -1;
  if (fd < 0) {
    fd = nameless_file(where);
    for (uint64_t i = 0; i < kPages; i++) check(pwrite(fd, block, kBlock, turn(i)), kBlock, where);
  }
  for (uint64_t i = 0; i < n; i++) check(pwrite(fd, block, kBlock, turn(i)), kBlock, where);
}

void write_new(uint64_t n, const char *where) {
  static const int fd = nameless_file(where);
  for (uint64_t i = 0; i < n; i++) check(write(fd, block, kBlock), kBlock, where);
}

void sync_nothing(uint64_t n, const char *where) {
  static const int fd = nameless_file(where);
  for (uint64_t i = 0; i < n; i++) check(fsync(fd), 0, where);
}

void write_null(uint64_t n, const char *where) {
  static const int fd = opened(where, O_WRONLY);
  for (uint64_t i = 0; i < n; i++) check(write(fd, block, kNullBlock), kNullBlock, where);
}

void copy_zeros(uint64_t n, const char *where) {
  static const int in = opened("/dev/zero", O_RDONLY), out = opened(where, O_WRONLY);
  for (uint64_t i = 0; i < n; i++) {
    check(read(in, block, kNullBlock), kNullBlock, "/dev/zero");
    check(write(out, block, kNullBlock), kNullBlock, where);
  }
}
