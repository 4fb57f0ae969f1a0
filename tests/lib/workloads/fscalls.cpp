// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Reads, writes, opens and fsyncs in prime numbers, each kind on a file of its own below a directory: `fscalls DIR`. A
// second word names one kind: cached, cold, direct, sync, append, vector, failing, other.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr size_t kPage = 4096;
alignas(kPage) char page[kPage];
std::string directory;

[[noreturn]] void die(const char *what) {
  perror(what);
  exit(1);
}

void check(bool right, const char *what) {
  if (!right) die(what);
}

int opened(const char *name, int flags) {
  const int fd = open((directory + "/" + name).c_str(), flags | O_CLOEXEC, 0600);
  check(fd >= 0, name);
  return fd;
}

bool moved(ssize_t bytes) { return bytes == static_cast<ssize_t>(kPage); }
off_t at(int i, size_t step = kPage) { return static_cast<off_t>(static_cast<size_t>(i) * step); }

// 1 open, 101 writes, 53 reads of what is in the cache, and 1 at the end of the file, 7 fsyncs.
void cached() {
  const int fd = opened("cached", O_RDWR | O_CREAT | O_TRUNC);
  for (int i = 0; i < 101; i++) check(moved(write(fd, page, kPage)), "write");
  for (int i = 0; i < 53; i++) check(moved(pread(fd, page, kPage, at(i))), "pread");
  check(read(fd, page, kPage) == 0, "read at the end");
  for (int i = 0; i < 7; i++) check((i % 2 == 0 ? fsync(fd) : fdatasync(fd)) == 0, "fsync");
  close(fd);
}

// 1 open, 31 writes, 1 fsync, 31 reads from the device, then 31 of the same from the cache.
void cold() {
  constexpr size_t kStep = 256 * 1024;
  const int fd = opened("cold", O_RDWR | O_CREAT | O_TRUNC);
  for (int i = 0; i < 31; i++) check(moved(pwrite(fd, page, kPage, at(i, kStep))), "pwrite");
  check(fsync(fd) == 0, "fsync");
  check(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM) == 0,
        "fadvise");
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < 31; i++) check(moved(pread(fd, page, kPage, at(i, kStep))), "pread");
  }
  close(fd);
}

// 1 open, 13 writes and 11 reads by O_DIRECT.
void direct() {
  const int fd = opened("direct", O_RDWR | O_CREAT | O_TRUNC | O_DIRECT);
  for (int i = 0; i < 13; i++) check(moved(pwrite(fd, page, kPage, at(i))), "direct pwrite");
  for (int i = 0; i < 11; i++) check(moved(pread(fd, page, kPage, at(i))), "direct pread");
  close(fd);
}

// 1 open, 17 writes by O_SYNC, and no fsync that anybody called; then 1 open and 3 writes by O_DIRECT and O_DSYNC.
void sync_writes() {
  const int fd = opened("sync", O_WRONLY | O_CREAT | O_TRUNC | O_SYNC);
  for (int i = 0; i < 17; i++) check(moved(write(fd, page, kPage)), "sync write");
  close(fd);
  const int both = opened("sync", O_WRONLY | O_DIRECT | O_DSYNC);
  for (int i = 0; i < 3; i++) check(moved(write(both, page, kPage)), "direct sync write");
  close(both);
}

// 2 opens; 5 writes to the beginning, 19 at the end of the file.
void append() {
  const int fd = opened("append", O_WRONLY | O_CREAT | O_TRUNC);
  for (int i = 0; i < 5; i++) check(moved(write(fd, page, kPage)), "write");
  close(fd);
  const int end = opened("append", O_WRONLY | O_APPEND);
  for (int i = 0; i < 19; i++) check(moved(write(end, page, kPage)), "append");
  close(end);
}

// 1 open; of each of 4 system calls 5: writes and reads of two pages, at the position and at an offset.
void vector() {
  const int fd = opened("vector", O_RDWR | O_CREAT | O_TRUNC);
  const iovec two[] = {{page, kPage}, {page, kPage}};
  const auto both = [](ssize_t bytes) { return bytes == static_cast<ssize_t>(2 * kPage); };
  for (int i = 0; i < 5; i++) check(both(writev(fd, two, 2)), "writev");
  for (int i = 0; i < 5; i++) check(both(pwritev(fd, two, 2, at(i + 5, 2 * kPage))), "pwritev");
  for (int i = 0; i < 5; i++) check(both(preadv(fd, two, 2, at(i, 2 * kPage))), "preadv");
  for (int i = 0; i < 5; i++) check(both(readv(fd, two, 2)), "readv");
  close(fd);
}

// 1 open, 1 write, and 23 reads and 29 writes with an address that is not there.
void failing() {
  const int fd = opened("failing", O_RDWR | O_CREAT | O_TRUNC);
  char *volatile nowhere = nullptr;  // volatile: the compiler must not know better
  check(moved(write(fd, page, kPage)), "write");
  for (int i = 0; i < 23; i++) check(pread(fd, nowhere + 8, kPage, 0) < 0 && errno == EFAULT, "failing pread");
  for (int i = 0; i < 29; i++) check(pwrite(fd, nowhere + 8, kPage, 0) < 0 && errno == EFAULT, "failing pwrite");
  close(fd);
}

// What is no call of these tools: a pipe, a directory, O_PATH, a file that is not there, a bad descriptor.
void other() {
  int ends[2];
  check(pipe(ends) == 0 && moved(write(ends[1], page, kPage)) && moved(read(ends[0], page, kPage)), "pipe");
  close(opened(".", O_RDONLY | O_DIRECTORY));
  close(opened("cached", O_PATH));
  check(open((directory + "/none").c_str(), O_RDONLY) < 0, "open");
  check(write(-1, page, kPage) < 0 && fsync(-1) < 0, "bad descriptor");
}

}  // namespace

int main(int argc, char **argv) {
  constexpr struct {
    const char *name;
    void (*run)();
  } kKinds[] = {{"cached", cached}, {"cold", cold},     {"direct", direct},   {"sync", sync_writes},
                {"append", append}, {"vector", vector}, {"failing", failing}, {"other", other}};
  directory = argc > 1 ? argv[1] : ".";
  for (const auto &kind : kKinds) {
    if (argc < 3 || strcmp(argv[2], kind.name) == 0) kind.run();
  }
}
