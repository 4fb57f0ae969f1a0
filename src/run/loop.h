// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The main loop: one epoll for ring buffers, timers, signals and the command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <utility>

#include "base/ending.h"
#include "base/fd.h"

namespace strata {

class Loop {
 public:
  using Callback = std::function<void()>;

  Loop();  // from here on signals end the loop: ending()

  void watch(int fd, Callback on_readable);
  void watch_closing(int fd, Callback on_closed);  // once: a pipe's reader went away; nothing for other files
  void every(uint64_t interval_ns, Callback on_tick);
  void at_signal(int number, Callback on_signal);                            // of several that come at once one is seen
  void after_each(Callback callback) { after_each_ = std::move(callback); }  // after each batch of callbacks

  // Instead of waiting itself, run() calls this, which returns once fd() is readable: of a library that has a loop.
  void wait_by(Callback wait) { wait_ = std::move(wait); }
  [[nodiscard]] int fd() const { return epoll_.get(); }

  // What was added after the first so many is not watched any more: by who could not begin, and is gone.
  [[nodiscard]] size_t watches() const { return watches_.size(); }
  void forget_after(size_t watches);

  void run();                   // until stop() or the ending; returns at once if that was before
  void stop(EndReason reason);  // the first one stays
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] EndReason reason() const { return stopped_ ? reason_ : ending_.reason(); }
  [[nodiscard]] Ending &ending() { return ending_; }

 private:
  struct Watch {
    int fd;
    Callback callback;
    Fd owned;
  };

  void add(int fd, uint32_t events, Callback callback, Fd owned = {});

  Ending ending_;
  Fd epoll_;
  std::list<Watch> watches_;
  Callback after_each_, wait_;
  bool stopped_ = false;
  EndReason reason_ = EndReason::kDone;
};

}  // namespace strata
