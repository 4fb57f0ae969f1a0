// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A descriptor to which bytes go so that no write blocks: one that cannot go on waits where signals are seen, too
// (base/ending.h). A blocking write(2) would hide them for as long as the reader wants: `| less`, a hung ssh.
#pragma once

#include <string_view>

#include "base/fd.h"

namespace strata {

class Outlet {
 public:
  Outlet() = default;
  // An open file description of its own may be made non-blocking, one that others share (standard output) may not:
  // it is opened again, where that is possible.
  Outlet(Fd fd, bool own);

  // All of it: 0, or else errno. ETIMEDOUT: the run is to end, and nobody reads.
  [[nodiscard]] int write(std::string_view bytes);
  explicit operator bool() const { return static_cast<bool>(fd_); }
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] int close() { return fd_.close(); }

 private:
  bool wait();

  enum class Mode { kWrite, kSend, kPoll };

  Fd fd_;
  Mode mode_ = Mode::kWrite;
  bool hurried_ = false;
  bool stuck_ = false;  // nobody read when the run was to end
};

Outlet outlet_of(int fd);  // of 0, 1 or 2, which stays open

// A message on standard error, as printf(3) has it: it is dropped where nobody reads it when the run is to end.
[[gnu::format(printf, 1, 2)]] void say(const char *format, ...);
void say_text(std::string_view text);

}  // namespace strata
