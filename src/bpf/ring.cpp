#include "bpf/ring.h"

#include <bpf/libbpf.h>

#include <cerrno>
#include <utility>

#include "base/error.h"

namespace strata {

namespace {
constexpr int kStop = -ECANCELED;
}

void Ring::Free::operator()(ring_buffer *ring) const { ring_buffer__free(ring); }

Ring::Ring(int map_fd) : ring_(ring_buffer__new(map_fd, &Ring::on_record, this, nullptr)) {
  if (!ring_) throw system_error("cannot map the ring buffer");
}

Ring::~Ring() = default;

int Ring::fd() const { return ring_buffer__epoll_fd(ring_.get()); }

// libbpf moves the consumer's position past the record before it looks at what this returns.
int Ring::on_record(void *self, void *record, size_t size) noexcept {
  Ring &ring = *static_cast<Ring *>(self);
  try {
    ring.callback_(ring.context_, record, size);
  } catch (...) {
    ring.thrown_ = std::current_exception();
    return kStop;
  }
  return ++ring.count_ == kBatch ? kStop : 0;
}

size_t Ring::consume(Callback callback, void *context) {
  callback_ = callback;
  context_ = context;
  count_ = 0;
  int result = ring_buffer__consume(ring_.get());
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (result < 0 && result != kStop) throw system_error("cannot read the ring buffer", -result);
  return count_;
}

}  // namespace strata
