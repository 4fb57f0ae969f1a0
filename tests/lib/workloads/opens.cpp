// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Opens files in every way that there is, in the directory DIR, and prints what must be seen of it.
//   opens DIR            each system call, flags, directory and error once, two lines of JSON each with -F
//   opens DIR storm N    one file N times from each of two threads
//   opens DIR flood T N  a file that does not exist N times from each of T threads, each as fast as it can
//   opens DIR unmapped N a FIFO N times, whose name is gone from memory when the call ends
//   opens DIR uring      one file by io_uring, which is no open of a task: prints its descriptor, or why not
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "call32.h"

namespace {

std::string directory;

[[noreturn]] void die(const char *what) {
  perror(what);
  exit(1);
}

// What an open must be shown as: the path from the root on. `flags` and `mode` as strata writes them.
void expect(const std::string &path, const char *flags, const char *mode, long result, const char *resolve = "") {
  const int err = result < 0 ? errno : 0;
  printf(
      "{\"type\":\"expected\",\"path\":\"%s\",\"flags\":\"%s\",\"mode\":%s%s%s,\"failed\":%d,\"fd\":%ld,\"resolve\":\"%"
      "s\"}\n",
      path.c_str(), flags, *mode ? "\"" : "", *mode ? mode : "null", *mode ? "\"" : "", err, result < 0 ? -1 : result,
      resolve);
  if (result >= 0) close(static_cast<int>(result));
}

long openat2(int dirfd, const char *name, uint64_t flags, uint64_t mode, uint64_t resolve) {
  open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return syscall(SYS_openat2, dirfd, name, &how, sizeof(how));
}

void by_each_call(int dirfd) {
  const std::string file = directory + "/file";
#ifdef SYS_open
  expect(file, "O_WRONLY|O_CREAT|O_TRUNC", "0640", syscall(SYS_creat, "file", 0640));
  expect(file, "O_RDONLY", "", syscall(SYS_open, file.c_str(), O_RDONLY, 0777));
#endif
  expect(file, "O_RDWR|O_CREAT|O_APPEND", "0600",
         syscall(SYS_openat, AT_FDCWD, "file", O_RDWR | O_CREAT | O_APPEND, 0600));
  expect(directory + "/sub/inner", "O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC", "4755",
         syscall(SYS_openat, dirfd, "inner", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 04755));
  expect(directory + "/sub/./inner", "O_RDONLY|O_NOFOLLOW", "",
         openat2(dirfd, "./inner", O_RDONLY | O_NOFOLLOW, 0, RESOLVE_BENEATH), "RESOLVE_BENEATH");
  expect(directory + "/sub/inner", "O_RDONLY", "",
         openat2(dirfd, "/inner", O_RDONLY, 0, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS),
         "RESOLVE_NO_MAGICLINKS|RESOLVE_IN_ROOT");
  expect(directory + "/sub", "O_PATH|O_DIRECTORY", "", syscall(SYS_openat, AT_FDCWD, "sub", O_PATH | O_DIRECTORY));
  expect("/", "O_RDONLY|O_DIRECTORY", "", syscall(SYS_openat, dirfd, "/", O_RDONLY | O_DIRECTORY));
}

// An errno, and -1, as those of 64 bits have it.
long by_32_bits(int number, long a, long b, long c, long d) {
  const long result = call32(number, a, b, c, d);
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

#ifdef MAP_32BIT
constexpr int kBelow4GiB = MAP_32BIT;
#else
constexpr int kBelow4GiB = 0;
#endif

char *low(const char *text) {
  static char *memory = static_cast<char *>(
      mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | kBelow4GiB, -1, 0));
  if (memory == MAP_FAILED) die("mmap");
  char *at = memory;
  memory += strlen(text) + 1;
  return strcpy(at, text);
}

void by_32_bits() {
  if (!has_call32()) return;
  expect(directory + "/file", "O_RDWR", "", by_32_bits(5, reinterpret_cast<long>(low("file")), O_RDWR, 0, 0));
  expect(directory + "/file", "O_WRONLY|O_CREAT|O_TRUNC", "0604",
         by_32_bits(8, reinterpret_cast<long>(low("file")), 0604, 0, 0));
  expect(directory + "/new32", "O_RDWR|O_CREAT", "0611",
         by_32_bits(295, AT_FDCWD, reinterpret_cast<long>(low("new32")), O_RDWR | O_CREAT, 0611));
}

void by_each_error(int dirfd) {
  const std::string longest(4095, 'x'), too_long(4096, 'y');
  expect(directory + "/none", "O_RDONLY", "", syscall(SYS_openat, AT_FDCWD, "none", O_RDONLY));
  expect(directory + "/", "O_RDONLY", "", syscall(SYS_openat, AT_FDCWD, "", O_RDONLY));
  expect(directory + "/sub/inner", "O_RDONLY|O_CREAT|O_EXCL", "0000",
         syscall(SYS_openat, dirfd, "inner", O_CREAT | O_EXCL, 0));
  expect("nowhere", "O_RDONLY", "", syscall(SYS_openat, 999, "nowhere", O_RDONLY));
  expect(directory + "/" + longest, "O_RDONLY", "", syscall(SYS_openat, AT_FDCWD, longest.c_str(), O_RDONLY));
  expect(directory + "/" + too_long + "...", "O_RDONLY", "", syscall(SYS_openat, AT_FDCWD, too_long.c_str(), O_RDONLY));
  expect("", "O_RDONLY", "", syscall(SYS_openat, AT_FDCWD, nullptr, O_RDONLY));
}

void all() {
  if (mkdir("sub", 0700)) die("sub");
  const int dirfd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "sub", O_RDONLY | O_DIRECTORY));
  if (dirfd < 0) die("sub");
  by_each_call(dirfd);
  by_32_bits();
  by_each_error(dirfd);
}

void open_often(long n) {
  for (long i = 0; i < n; i++) {
    const long fd = syscall(SYS_openat, AT_FDCWD, "storm", O_RDWR | O_CREAT, 0600);
    if (fd < 0) die("storm");
    close(static_cast<int>(fd));
  }
}

void open_in_vain(long threads, long n) {
  std::vector<std::thread> all;
  for (long i = 0; i < threads; i++)
    all.emplace_back([n] {
      for (long j = 0; j < n; j++) syscall(SYS_openat, AT_FDCWD, "flood", O_RDONLY);
    });
  for (std::thread &one : all) one.join();
}

char state_of(pid_t tid) {
  char state = 0;
  FILE *file = fopen(("/proc/self/task/" + std::to_string(tid) + "/stat").c_str(), "r");
  if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1) die("stat");
  fclose(file);
  return state;
}

// The call waits for a writer. The name is unmapped before that comes.
void open_unmapped() {
  constexpr size_t kPage = 4096;
  void *page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) die("mmap");
  auto *name = strcpy(static_cast<char *>(page), "fifo");
  std::atomic<pid_t> tid = 0;
  std::thread reader([&] {
    tid = static_cast<pid_t>(syscall(SYS_gettid));
    const long fd = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
    if (fd < 0) die("fifo");
    close(static_cast<int>(fd));
  });
  while (tid == 0 || state_of(tid) != 'S') usleep(1000);
  munmap(page, kPage);
  const int writer = open("fifo", O_WRONLY);
  reader.join();
  close(writer);
}

void by_uring() {
  io_uring_params parameters = {};
  const int ring = static_cast<int>(syscall(SYS_io_uring_setup, 1, &parameters));
  if (ring < 0) {
    printf("{\"type\":\"uring\",\"fd\":null}\n");
    return;
  }
  const auto map = [&](size_t bytes, uint64_t offset) {
    void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring, static_cast<off_t>(offset));
    if (at == MAP_FAILED) die("io_uring");
    return static_cast<char *>(at);
  };
  char *sq = map(parameters.sq_off.array + parameters.sq_entries * 4, IORING_OFF_SQ_RING);
  char *cq = map(parameters.cq_off.cqes + parameters.cq_entries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
  auto *entry = reinterpret_cast<io_uring_sqe *>(map(parameters.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES));
  entry->opcode = IORING_OP_OPENAT;
  entry->fd = AT_FDCWD;
  entry->addr = reinterpret_cast<uint64_t>("byring");
  entry->open_flags = O_RDWR | O_CREAT;
  entry->len = 0600;
  *reinterpret_cast<uint32_t *>(sq + parameters.sq_off.array) = 0;
  __atomic_store_n(reinterpret_cast<uint32_t *>(sq + parameters.sq_off.tail), 1, __ATOMIC_RELEASE);
  if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) != 1) die("io_uring_enter");
  printf("{\"type\":\"uring\",\"fd\":%d}\n", reinterpret_cast<io_uring_cqe *>(cq + parameters.cq_off.cqes)->res);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2 || chdir(argv[1])) return 2;
  directory = argv[1];
  const std::string what = argc > 2 ? argv[2] : "";
  if (what == "storm" && argc > 3) {
    std::thread other(open_often, atol(argv[3]));
    open_often(atol(argv[3]));
    other.join();
  } else if (what == "flood" && argc > 4) {
    open_in_vain(atol(argv[3]), atol(argv[4]));
  } else if (what == "unmapped" && argc > 3) {
    if (mkfifo("fifo", 0600)) die("fifo");
    for (long i = 0; i < atol(argv[3]); i++) open_unmapped();
  } else if (what == "uring") {
    by_uring();
  } else {
    all();
  }
  return 0;
}
