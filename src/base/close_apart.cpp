#include "base/close_apart.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace strata {
namespace {

constexpr size_t kFew = 4;

void close_from_to(uint32_t first, uint32_t last) {
  if (first <= last) syscall(SYS_close_range, first, last, 0);
}

}  // namespace

void close_apart(std::vector<Fd> descriptors) {
  int ends[2];
  if (descriptors.size() <= kFew || pipe2(ends, O_CLOEXEC) != 0) return;
  Fd go(ends[0]), wait(ends[1]);
  std::vector<int> kept = {go.get()};
  for (const Fd &one : descriptors) kept.push_back(one.get());
  std::sort(kept.begin(), kept.end());
  if (fork() != 0) {
    descriptors.clear();  // before `wait`: who closes last waits for the kernel
    return;
  }
  uint32_t next = 0;  // all others, as somebody may wait for the end of what is written there
  for (const int one : kept) {
    const auto fd = static_cast<uint32_t>(one);
    if (fd > 0) close_from_to(next, fd - 1);
    next = fd + 1;
  }
  close_from_to(next, UINT32_MAX);
  setsid();  // no Ctrl-C ends it
  char none;
  while (read(go.get(), &none, 1) < 0 && errno == EINTR) {
  }
  _exit(0);
}

}  // namespace strata
