// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/ending.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/timer.h"

namespace strata {
namespace {

constexpr int kPatienceMs = 1000;  // without any progress
constexpr int kTwinMs = 30;
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// Of the process, as signals are.
Ending *current = nullptr;

bool is_ignored(int number) {
  struct sigaction action = {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// A background job of a shell ignores SIGINT, but `kill -INT` of a script is meant to end a run.
sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kSignals)
    if (number != SIGHUP || !is_ignored(number)) sigaddset(&set, number);
  return set;
}

void restore_defaults(const sigset_t &set) {
  for (const int number : kSignals)
    if (sigismember(&set, number) == 1) ::signal(number, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

bool add(const Fd &epoll, const Fd &fd) {
  epoll_event event = {.events = EPOLLIN, .data = {.fd = fd.get()}};
  return epoll_ctl(epoll.get(), EPOLL_CTL_ADD, fd.get(), &event) == 0;
}

enum class Woken : uint8_t { kReady, kEnding, kTimedOut };

// By the descriptor, or by what the Ending of the process has to look at.
Woken wait_beside_ending(int fd, short events, int timeout_ms) {
  pollfd both[] = {{.fd = fd, .events = events, .revents = 0},
                   {.fd = current != nullptr ? current->fd() : -1, .events = POLLIN, .revents = 0}};
  while (true) {
    const int ready = poll(both, std::size(both), timeout_ms);
    if (ready > 0) return both[0].revents != 0 ? Woken::kReady : Woken::kEnding;
    if (ready == 0 || errno != EINTR) return Woken::kTimedOut;
  }
}

}  // namespace

Ending::Ending() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t set = ending_signals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = Fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!epoll_ || !signals_ || !add(epoll_, signals_)) {
    restore_defaults(set);
    throw system_error("cannot wait for signals");
  }
  current = this;
}

Ending::~Ending() {
  take();
  current = nullptr;
  if (signal_ == 0) restore_defaults(ending_signals());
}

void Ending::after(uint64_t duration_ns) {
  timer_ = timer_after(duration_ns);
  if (!add(epoll_, timer_)) throw system_error("cannot set a timer");
}

void Ending::on_signal(int number) {
  if (number == SIGINT && spares_interrupt_) {
    spares_interrupt_ = false;
    return;
  }
  begun_ = true;
  if (signal_ != 0) return;
  signal_ = number;
  swallow_twin();
  restore_defaults(ending_signals());
}

// timeout(1) sends the signal to its child and then to the group that both are in: what comes right after the first is
// no second wish. Rejected: a timer after which the defaults are back, which needs somebody who looks at it.
void Ending::swallow_twin() {
  pollfd more = {.fd = signals_.get(), .events = POLLIN, .revents = 0};
  signalfd_siginfo info{};
  if (poll(&more, 1, kTwinMs) == 1 && read(signals_.get(), &info, sizeof(info)) < 0) return;  // gone again
}

bool Ending::take() {
  signalfd_siginfo info{};
  while (read(signals_.get(), &info, sizeof(info)) == sizeof(info)) on_signal(static_cast<int>(info.ssi_signo));
  uint64_t expired = 0;
  if (timer_ && read(timer_.get(), &expired, sizeof(expired)) == sizeof(expired)) begun_ = true;
  return begun_;
}

EndReason Ending::reason() const {
  if (signal_ == SIGINT) return EndReason::kInterrupted;
  if (signal_ == SIGTERM) return EndReason::kTerminated;
  if (signal_ == SIGHUP) return EndReason::kHungUp;
  return begun_ ? EndReason::kDuration : EndReason::kDone;
}

bool Ending::urgent() const { return signal_ == SIGTERM || signal_ == SIGHUP; }

bool wait_for(int fd, short events, bool &hurried) {
  const auto state = [] { return current ? std::pair(current->begun(), current->signal()) : std::pair(false, 0); };
  const auto before = state();
  while (true) {
    if (state() != before || (current != nullptr && current->urgent())) hurried = true;
    const Woken by = wait_beside_ending(fd, events, hurried ? kPatienceMs : -1);
    if (by != Woken::kEnding) return by == Woken::kReady;
    current->take();
  }
}

bool wait_for_either(int fd) {
  if (wait_beside_ending(fd, POLLIN, -1) != Woken::kEnding) return true;
  current->take();
  return false;
}

bool ending_begun() { return current != nullptr && current->take(); }

int ending_signal() { return current != nullptr ? current->signal() : 0; }

}  // namespace strata
