// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/ring.h"

#include <bpf/libbpf.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/own_pages.h"
#include "bpf/object.h"

namespace strata {

namespace {
constexpr int kStop = -ECANCELED;
}

uint64_t usual_ring_bytes(uint64_t for_each) {
  const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  return std::clamp<uint64_t>(static_cast<uint64_t>(processors) * for_each, 1 << 20, 16 << 20);
}

namespace {
uint32_t size_of_ring(uint64_t bytes) {
  return std::bit_ceil(std::max(static_cast<uint32_t>(bytes), static_cast<uint32_t>(getpagesize())));
}
}  // namespace

uint32_t wake_shift(uint64_t ring_bytes) {
  return static_cast<uint32_t>(std::countr_zero(size_of_ring(ring_bytes)) - 3);
}

// As bpf/lib/core/emit.h has it for its own size.
void set_ring_bytes(Object &object, uint64_t bytes) {
  object.set_max_entries("events", size_of_ring(bytes));
  object.set_constant("emit_wake_shift", wake_shift(bytes));
}

void Ring::Free::operator()(ring_buffer *ring) const { ring_buffer__free(ring); }

namespace {
// All of its pages count from here on. Without those of the start the peak is not the sum of both.
ring_buffer *map_ring(int map_fd, ring_buffer_sample_fn on_record, Ring *ring) {
  drop_own_pages();
  return ring_buffer__new(map_fd, on_record, ring, nullptr);
}
}  // namespace

Ring::Ring(int map_fd) : ring_(map_ring(map_fd, &Ring::on_record, this)) {
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
