#include "follow/windows.h"

#include "bpf/object.h"
#include "follow/attach_mode.h"
#include "follow/tracker.h"

namespace strata {

Windows::Windows(Object &object, volatile uint32_t *sampling, uint64_t open_ns, uint64_t period_ns)
    : object_(object), sampling_(sampling), open_ns_(open_ns), period_ns_(period_ns) {}

void Windows::open(uint64_t now_ns) {
  object_.attach();
  opened_ns_ = now_ns;
  state_ = State::kOpen;
  *sampling_ = 1;
}

void Windows::close() { *sampling_ = 0; }

void Windows::tick(uint64_t now_ns, const Tracker &tracker) {
  if (open_ns_ == 0) return;
  if (state_ != State::kOpen && now_ns - opened_ns_ >= period_ns_) return open(now_ns);
  if (state_ == State::kOpen && now_ns - opened_ns_ >= open_ns_) {
    close();
    state_ = State::kClosing;
  } else if (state_ == State::kClosing && !tracker.calling()) {  // a tick later: the records of the last calls are read
    object_.detach(path_hooks());
    state_ = State::kFollowing;
  } else if (state_ == State::kFollowing && tracker.idle()) {
    object_.detach();
    state_ = State::kClosed;
  }
}

}  // namespace strata
