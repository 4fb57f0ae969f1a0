// The main loop: one epoll for ring buffers, timers, signals and the command.
#pragma once

#include <cstdint>
#include <functional>
#include <list>

#include "base/fd.h"

namespace strata {

class Loop {
 public:
  using Callback = std::function<void()>;

  // From here on SIGINT and SIGTERM end the loop, and SIGPIPE is ignored. After the first of them the defaults are
  // back, so that a second one kills.
  Loop();

  void watch(int fd, Callback on_readable);
  void watch_closing(int fd, Callback on_closed);  // the reader of a pipe went away; nothing for other files
  void every(uint64_t interval_ns, Callback on_tick);
  void until(uint64_t duration_ns);                                          // stop() after so long, counted from now
  void after_each(Callback callback) { after_each_ = std::move(callback); }  // after each batch of callbacks

  void run();  // until stop(); returns at once if that was called before
  void stop() { stopped_ = true; }
  [[nodiscard]] int signal() const { return signal_; }  // that ended the loop, or 0

 private:
  struct Watch {
    Callback callback;
    Fd owned;
  };

  void add(int fd, uint32_t events, Callback callback, Fd owned = {});
  void on_signal(int fd);

  Fd epoll_;
  std::list<Watch> watches_;
  Callback after_each_;
  int signal_ = 0;
  bool stopped_ = false;
};

}  // namespace strata
