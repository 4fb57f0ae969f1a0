// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The command after `--`: created before tracing begins, let go when everything is attached.
// It shares strata's process group, so a terminal's Ctrl-C reaches it too. If strata is killed it goes on alone (or,
// when it was not let go yet, ends without having run): a tracer does not decide about the life of what it watches.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>

#include "base/fd.h"
#include "kern/users.h"

namespace strata {

class Command {
 public:
  static constexpr int kNotExecutableStatus = 126;  // as of a shell
  static constexpr int kNotFoundStatus = 127;

  // As this user, if it is given. Throws Error if there is no such program.
  explicit Command(std::span<const std::string> arguments, const std::optional<User> &user = std::nullopt);
  Command(const Command &) = delete;
  Command &operator=(const Command &) = delete;
  ~Command();  // ends it if it was never started, or if a failure left it running

  void start();  // throws Error if the kernel refuses to run it
  [[nodiscard]] const std::string &name() const { return name_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int fd() const { return pidfd_.get(); }  // readable when it has ended
  [[nodiscard]] bool has_ended() const;
  void terminate();                           // asks it to end (SIGTERM), stopped or not
  void leave_alone() { left_alone_ = true; }  // it goes on when strata has ended
  int wait();                                 // its exit status, or 128 + the signal that killed it

 private:
  [[noreturn]] static void run_child(const std::string &path, char *const *argv, const std::optional<User> &user,
                                     int go, int failure);

  std::string name_;
  bool ended_ = false;
  bool left_alone_ = false;
  pid_t pid_ = 0;
  Fd pidfd_;
  Fd go_;       // a byte lets the child exec; closed without one it ends
  Fd failure_;  // the errno of exec; closed by a successful one
};

}  // namespace strata
