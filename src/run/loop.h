// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The main loop: one epoll for ring buffers, timers, signals and the command.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <string_view>

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

  void run();                          // until stop() or the ending; returns at once if that was before
  void stop(std::string_view reason);  // "count": the first one stays
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] std::string_view reason() const { return stopped_ ? reason_ : ending_.reason(); }
  [[nodiscard]] Ending &ending() { return ending_; }

 private:
  struct Watch {
    Callback callback;
    Fd owned;
  };

  void add(int fd, uint32_t events, Callback callback, Fd owned = {});

  Ending ending_;
  Fd epoll_;
  std::list<Watch> watches_;
  Callback after_each_;
  bool stopped_ = false;
  std::string_view reason_;
};

}  // namespace strata
