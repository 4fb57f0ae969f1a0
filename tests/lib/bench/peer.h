// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A tracing tool that was started to be measured, for observe.cpp.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Runs a command, as the leader of its own process group, with these as its stdin, stdout and stderr.
pid_t spawn(const std::vector<std::string> &command, int in, int out, int err);

struct Attached {
  double ms, cpu_ms;  // since the start
};

class Peer {
 public:
  // Its stdout is a terminal, as if somebody watched, or else /dev/null.
  Peer(const std::vector<std::string> &command, bool terminal);
  // Kills it and waits until its BPF programs have gone.
  ~Peer();
  Peer(const Peer &) = delete;
  Peer &operator=(const Peer &) = delete;

  // Throws Failure with the last line that it wrote to stderr, if it ended instead.
  [[nodiscard]] Attached wait_attached();
  [[nodiscard]] double cpu_ns() const;  // that it has used
  // The most memory that it ever had.
  [[nodiscard]] unsigned long peak_kib() const;

 private:
  struct State;
  [[nodiscard]] State state() const;
  [[nodiscard]] std::string last_words() const;

  pid_t pid_, reader_ = 0;
  int err_;
  // Opened once: to look again must not be an event for a tool that traces opens.
  int stat_, syscall_, status_;
  DIR *files_;
  uint32_t programs_before_;
  uint64_t start_ns_;
};
