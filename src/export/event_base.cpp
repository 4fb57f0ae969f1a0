// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/event_base.h"

#include <event2/event.h>

#include <utility>

#include "base/error.h"
#include "base/outlet.h"
#include "run/loop.h"

namespace strata {
namespace {

void log_of_library(int severity, const char *message) {
  if (severity >= EVENT_LOG_ERR) say("strata export: libevent: %s\n", message);
}

}  // namespace

void EventBase::Free::operator()(event_base *base) const { event_base_free(base); }
void EventBase::Free::operator()(event *one) const { event_free(one); }

EventBase::EventBase(Loop &loop) : loop_(loop) {
  event_set_log_callback(log_of_library);
  base_.reset(event_base_new());
  if (base_)
    ours_.reset(event_new(
        base_.get(), loop.fd(), EV_READ | EV_PERSIST, [](int, short, void *) {}, nullptr));
  if (!ours_ || event_add(ours_.get(), nullptr) != 0) throw Error("cannot wait for connections");
  loop_.wait_by([this] { wait(); });
}

EventBase::~EventBase() { loop_.wait_by({}); }

void EventBase::wait() {
  event_base_loop(base_.get(), EVLOOP_ONCE);
  if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
}

void EventBase::failed(std::exception_ptr failure) noexcept {
  if (!failure_) failure_ = std::move(failure);
  event_base_loopbreak(base_.get());
}

}  // namespace strata
