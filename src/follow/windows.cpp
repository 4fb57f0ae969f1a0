// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/windows.h"

#include "bpf/object.h"

namespace strata {

Windows::Windows(Object &object, std::span<const std::string_view> path_hooks, volatile uint32_t *sampling,
                 uint64_t open_ns, uint64_t period_ns)
    : object_(object), path_hooks_(path_hooks), sampling_(sampling), open_ns_(open_ns), period_ns_(period_ns) {}

void Windows::open(uint64_t now_ns) {
  object_.attach();
  opened_ns_ = now_ns;
  state_ = State::kOpen;
  *sampling_ = 1;
}

void Windows::close() { *sampling_ = 0; }

void Windows::tick(uint64_t now_ns, bool calling, bool idle) {
  if (open_ns_ == 0) return;
  if (state_ != State::kOpen && now_ns - opened_ns_ >= period_ns_) return open(now_ns);
  if (state_ == State::kOpen && now_ns - opened_ns_ >= open_ns_) {
    close();
    state_ = State::kClosing;
  } else if (state_ == State::kClosing && !calling) {  // a tick later: the records of the last calls are read
    object_.detach(path_hooks_);
    state_ = State::kFollowing;
  } else if (state_ == State::kFollowing && idle) {
    object_.detach();
    state_ = State::kClosed;
  }
}

}  // namespace strata
