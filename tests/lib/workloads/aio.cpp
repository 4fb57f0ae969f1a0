// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// 101 writes by io_submit(2), which only the function hooks see: `aio DIR`. Prints {"writes":101}.
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int kWrites = 101, kDepth = 8;
constexpr size_t kBytes = 4096;

[[noreturn]] void die(const char *what) {
  perror(what);
  exit(1);
}

void submit(aio_context_t context, int fd, char *buffer, int i) {
  iocb block{};
  block.aio_lio_opcode = IOCB_CMD_PWRITE;
  block.aio_fildes = static_cast<uint32_t>(fd);
  block.aio_buf = reinterpret_cast<uint64_t>(buffer);
  block.aio_nbytes = kBytes;
  block.aio_offset = static_cast<int64_t>(i * kBytes);
  iocb *list[] = {&block};
  if (syscall(SYS_io_submit, context, 1, list) != 1) die("io_submit");
}

void reap(aio_context_t context) {
  io_event event{};
  if (syscall(SYS_io_getevents, context, 1, 1, &event, nullptr) != 1) die("io_getevents");
  if (event.res != kBytes) die("aio write");
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  aio_context_t context = 0;
  char *buffer = static_cast<char *>(aligned_alloc(kBytes, kBytes));
  for (size_t i = 0; i < kBytes; i++) buffer[i] = 'a';
  const int fd = open((std::string(argv[1]) + "/aio").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_DIRECT, 0600);
  if (fd < 0 || syscall(SYS_io_setup, kDepth, &context) != 0) die("aio");
  for (int i = 0; i < kWrites; i++) {
    submit(context, fd, buffer, i);
    if (i >= kDepth - 1) reap(context);
  }
  for (int i = 1; i < kDepth; i++) reap(context);
  if (fsync(fd) != 0) die("fsync");
  printf("{\"writes\":%d}\n", kWrites);
}
