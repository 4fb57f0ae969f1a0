// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Sampling only now and then: after a window the functions are taken off the path, and when the last sample
// has ended nothing is attached at all (by tracepoints the first waits for the second).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace strata {

class Object;

class Windows {
 public:
  // Open for `open_ns` out of every `period_ns`; always, if open_ns is 0. `sampling` is the BPF side's switch,
  // `path_hooks` those that every procedure passes, sampled or not.
  Windows(Object &object, std::span<const std::string_view> path_hooks, volatile uint32_t *sampling, uint64_t open_ns,
          uint64_t period_ns);

  void open(uint64_t now_ns);
  // At least ten times a window, after the ring was drained. `calling`: the call of some sample has not returned;
  // `idle`: all samples have ended.
  void tick(uint64_t now_ns, bool calling, bool idle);
  void close();  // the end of the run: no more samples

 private:
  enum class State : uint8_t { kOpen, kClosing, kFollowing, kClosed };

  Object &object_;
  std::span<const std::string_view> path_hooks_;
  volatile uint32_t *sampling_;
  uint64_t open_ns_, period_ns_;
  uint64_t opened_ns_ = 0;
  State state_ = State::kClosed;
};

}  // namespace strata
