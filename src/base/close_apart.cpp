// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/close_apart.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

namespace strata {
namespace {

constexpr size_t kFew = 4;
constexpr size_t kMostThreads = 32;

void close_from_to(uint32_t first, uint32_t last) {
  if (first <= last) syscall(SYS_close_range, first, last, 0);
}

[[noreturn]] void hold(std::vector<int> kept, int until) {
  kept.push_back(until);
  std::sort(kept.begin(), kept.end());
  uint32_t next = 0;  // all others, as somebody may wait for the end of what is written there
  for (const int one : kept) {
    const auto fd = static_cast<uint32_t>(one);
    if (fd > next) close_from_to(next, fd - 1);
    next = fd + 1;
  }
  close_from_to(next, UINT32_MAX);
  setsid();  // no Ctrl-C ends it
  char none;
  while (read(until, &none, 1) < 0 && errno == EINTR) {
  }
  _exit(0);
}

}  // namespace

HeldApart::HeldApart(std::vector<int> descriptors) {
  int ends[2];
  if (descriptors.empty() || pipe2(ends, O_CLOEXEC) != 0) return;
  const Fd until(ends[0]);
  until_.reset(ends[1]);
  if (fork() == 0) hold(std::move(descriptors), until.get());
}

void close_apart(std::vector<Fd> descriptors) {
  std::vector<int> held;
  if (descriptors.size() > kFew)
    for (const Fd &one : descriptors) held.push_back(one.get());
  const HeldApart apart(std::move(held));
  descriptors.clear();
}

void close_together(std::vector<Fd> descriptors) {
  std::vector<std::vector<Fd>> shares(std::clamp<size_t>(descriptors.size(), 1, kMostThreads));
  for (size_t i = 0; i < descriptors.size(); i++) shares[i % shares.size()].push_back(std::move(descriptors[i]));
  std::vector<std::jthread> threads;
  try {
    for (size_t i = 1; i < shares.size(); i++) threads.emplace_back([&share = shares[i]] { share.clear(); });
  } catch (const std::system_error &) {  // no more threads: what is left is closed here
  }
  for (size_t i = threads.size() + 1; i < shares.size(); i++) shares[i].clear();
  shares[0].clear();
}

}  // namespace strata
