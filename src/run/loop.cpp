// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The end of a run is a descriptor like everything else (base/ending.h).
#include "run/loop.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/error.h"
#include "base/timer.h"

namespace strata {

Loop::Loop() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (!epoll_) throw system_error("cannot wait for events");
  add(ending_.fd(), EPOLLIN, [this] { ending_.take(); });
}

void Loop::add(int fd, uint32_t events, Callback callback, Fd owned) {
  watches_.push_back({.fd = fd, .callback = std::move(callback), .owned = std::move(owned)});
  epoll_event event = {.events = events, .data = {.ptr = &watches_.back()}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) throw system_error("cannot wait for events");
}

void Loop::watch(int fd, Callback on_readable) { add(fd, EPOLLIN, std::move(on_readable)); }

void Loop::watch_closing(int fd, Callback on_closed) {
  try {
    add(fd, EPOLLERR, [this, fd, on_closed = std::move(on_closed)] {
      epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
      on_closed();
    });
  } catch (const Error &) {  // EPERM: a regular file cannot be closed by its reader
    watches_.pop_back();
  }
}

void Loop::every(uint64_t interval_ns, Callback on_tick) {
  Fd timer = timer_after(interval_ns, interval_ns);
  const int fd = timer.get();
  auto tick = [fd, on_tick = std::move(on_tick)] {
    uint64_t missed = 0;
    if (read(fd, &missed, sizeof(missed)) == sizeof(missed)) on_tick();
  };
  add(fd, EPOLLIN, std::move(tick), std::move(timer));
}

void Loop::at_signal(int number, Callback on_signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  Fd signals(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals) throw system_error("cannot wait for signals");
  const int fd = signals.get();
  auto look = [fd, on_signal = std::move(on_signal)] {
    signalfd_siginfo info{};
    if (read(fd, &info, sizeof(info)) == sizeof(info)) on_signal();
  };
  add(fd, EPOLLIN, std::move(look), std::move(signals));
}

void Loop::forget_after(size_t watches) {
  for (; watches_.size() > watches; watches_.pop_back())
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, watches_.back().fd, nullptr);
}

void Loop::stop(EndReason reason) {
  if (!stopped_) reason_ = ending_.begun() ? ending_.reason() : reason;
  stopped_ = true;
}

void Loop::run() {
  while (!stopped_ && !ending_.begun()) {
    if (wait_) wait_();
    epoll_event events[16];
    const int ready = epoll_wait(epoll_.get(), events, std::size(events), wait_ ? 0 : -1);
    if (ready < 0 && errno != EINTR) throw system_error("cannot wait for events");
    for (int i = 0; i < ready && !stopped_ && !ending_.begun(); i++)
      static_cast<Watch *>(events[i].data.ptr)->callback();
    if (after_each_) after_each_();
  }
}

}  // namespace strata
