// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The consumer's end of a BPF ring buffer. Wake-ups come per batch (bpf/lib/core/emit.h), so a loop watches fd() and
// also calls consume() every kFlushNs: that is the most a record waits. As long as there is a Ring its thread comes
// before others (bpf/priority.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>

#include "bpf/priority.h"

struct ring_buffer;

namespace strata {

class Object;

// So much for each processor that may fill it, 1 to 16 MiB in all. The memory of a ring counts twice: it is mapped
// twice, one after the other, so that no record is cut in two. Rejected: one size for all (4 MiB count as 8, and two
// processors fill it no faster than one of 1 MiB); a ring for each processor (records out of order).
uint64_t usual_ring_bytes(uint64_t for_each);
// Its reader is woken where what is unread passes a multiple of 1 << this: eight times for each filled ring.
uint32_t wake_shift(uint64_t ring_bytes);
void set_ring_bytes(Object &object, uint64_t bytes);  // of its map `events`, before it is loaded; rounded up

class Ring {
 public:
  static constexpr uint64_t kFlushNs = 100'000'000;
  static constexpr size_t kBatch = 16384;  // most records per consume(): a fast producer cannot starve the signals

  explicit Ring(int map_fd);
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;
  ~Ring();

  [[nodiscard]] int fd() const;  // for epoll: readable when there are records

  // Calls fn(const void *record, size_t size) for each waiting record, at most kBatch; returns how many. What fn throws
  // stops the batch and comes out of here, not through libbpf; the record that it was called for counts as consumed.
  template <typename F>
  size_t consume(F &&fn) {
    using Fn = std::remove_reference_t<F>;
    return consume([](void *context, const void *record, size_t size) { (*static_cast<Fn *>(context))(record, size); },
                   const_cast<std::remove_const_t<Fn> *>(&fn));
  }

 private:
  using Callback = void (*)(void *context, const void *record, size_t size);

  size_t consume(Callback callback, void *context);
  static int on_record(void *self, void *record, size_t size) noexcept;

  struct Free {
    void operator()(ring_buffer *ring) const;
  };
  ReaderPriority priority_;
  std::unique_ptr<ring_buffer, Free> ring_;
  Callback callback_ = nullptr;
  void *context_ = nullptr;
  size_t count_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace strata
