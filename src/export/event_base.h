// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// libevent in the main loop, without a thread: its loop waits, also for ours (run/loop.h), and ours is taken round by
// round. libevent serves and sends HTTP. Rejected: libmicrohttpd, whose library in Debian needs GnuTLS, of which there
// is no static one; cpp-httplib, which has a thread for each connection.
#pragma once

#include <exception>
#include <memory>

struct event;
struct event_base;

namespace strata {

class Loop;

class EventBase {
 public:
  explicit EventBase(Loop &loop);
  EventBase(const EventBase &) = delete;
  EventBase &operator=(const EventBase &) = delete;
  ~EventBase();

  [[nodiscard]] event_base *get() const { return base_.get(); }

  // What a callback of the C library does: nothing is thrown through that. What it throws ends the run.
  template <typename Part>
  void guarded(const Part &part) noexcept {
    try {
      part();
    } catch (...) {
      failed(std::current_exception());
    }
  }

 private:
  void wait();
  void failed(std::exception_ptr failure) noexcept;

  struct Free {
    void operator()(event_base *base) const;
    void operator()(event *one) const;
  };

  Loop &loop_;
  std::unique_ptr<event_base, Free> base_;
  std::unique_ptr<event, Free> ours_;
  std::exception_ptr failure_;
};

}  // namespace strata
