// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// When a run is to end: a signal, or the end of its time. One place for the main loop and for whoever waits for
// somebody else, such as the reader of a pipe, so that nobody waits where no signal is seen.
//
// Signals come as a descriptor like everything else, so no code of ours runs in a signal handler. The descriptor is
// part of every wait, and no descriptor is written or read that could block (base/outlet.h).
#pragma once

#include <cstdint>

#include "base/end_reason.h"
#include "base/fd.h"

namespace strata {

class Ending {
 public:
  // From here on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as under nohup) are seen here, and SIGPIPE is
  // ignored. Soon after the one that ends the run the defaults are back, so that another one kills.
  Ending();
  Ending(const Ending &) = delete;
  Ending &operator=(const Ending &) = delete;
  ~Ending();  // the defaults are back; what came and was not looked at has no effect

  void after(uint64_t duration_ns);  // counted from now; at most once
  // The first SIGINT is somebody else's: a terminal sends it to the command, too, and that may go on.
  void spare_first_interrupt(bool spare) { spares_interrupt_ = spare; }

  [[nodiscard]] int fd() const { return epoll_.get(); }  // readable: take() has something to do
  bool take();                                           // looks at what came; begun()
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] int signal() const { return signal_; }  // that began it, or 0
  [[nodiscard]] EndReason reason() const;               // that began it: a signal, the duration; or kDone
  // By a signal that comes once: systemd, timeout(1) and a lost connection ask no second time. At a terminal somebody
  // presses Ctrl-C again, and what is printed last may wait for a reader (`| less`) until then.
  [[nodiscard]] bool urgent() const;

 private:
  void on_signal(int number);
  void swallow_twin();

  Fd epoll_, signals_, timer_;
  bool spares_interrupt_ = false;
  int signal_ = 0;
  bool begun_ = false;
};

// Waits until a descriptor is ready for `events` of poll(2). Before an ending begins without end, unless `hurried`;
// with one that begins meanwhile, or an urgent one, a second at most, and `hurried` is set. False: not ready, and it
// has no sense to wait longer.
[[nodiscard]] bool wait_for(int fd, short events, bool &hurried);

// Waits for a descriptor that is readable or for something that take() has looked at; false if it was the latter.
[[nodiscard]] bool wait_for_either(int fd);

// Of the Ending of the process; without one false and 0.
[[nodiscard]] bool ending_begun();  // looks at what came
[[nodiscard]] int ending_signal();

}  // namespace strata
