// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// An array map (BPF_F_MMAPABLE) as memory: filled without a system call for each element. All that is mapped counts as
// memory of this process, so of a large array only some elements are, at a time.
#pragma once

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "bpf/object.h"

namespace strata {

template <typename Element>
class MappedArray {
 public:
  // After load(). `count` elements from `first` on, which begins a page of memory. Throws Error.
  MappedArray(const Object &object, std::string_view name, size_t first, size_t count) : size_(count) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t bytes = (count * kStride + page - 1) / page * page;
    const int map = bpf_map__fd(object.map(name));
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map, static_cast<off_t>(first * kStride));
    if (memory == MAP_FAILED) throw system_error("cannot map " + std::string(name));
    memory_ = {static_cast<std::byte *>(memory), Unmap{bytes}};
  }

  MappedArray(const Object &object, std::string_view name)  // all
      : MappedArray(object, name, 0, bpf_map__max_entries(object.map(name))) {}

  [[nodiscard]] size_t size() const { return size_; }
  Element &operator[](size_t i) { return *reinterpret_cast<Element *>(memory_.get() + i * kStride); }

 private:
  static constexpr size_t kStride = (sizeof(Element) + 7) / 8 * 8;
  struct Unmap {
    size_t bytes = 0;
    void operator()(std::byte *memory) const { munmap(memory, bytes); }
  };

  size_t size_ = 0;
  std::unique_ptr<std::byte, Unmap> memory_;
};

}  // namespace strata
