// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Block devices by number.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace strata {

// The kernel's own dev_t (20 bits of minor), as BPF programs see it; not the one of stat(2).
constexpr uint32_t kernel_major(uint32_t dev) { return dev >> 20; }
constexpr uint32_t kernel_minor(uint32_t dev) { return dev & ((1U << 20) - 1); }

class Disks {
 public:
  explicit Disks(std::string sysfs = "/sys") : sysfs_(std::move(sysfs)) {}
  void set(uint32_t dev, std::string name) { names_[dev] = std::move(name); }  // of another machine, for a replay
  const std::string &name(uint32_t dev);  // "nvme0n1p2"; "259:2" if there is none; remembered

 private:
  std::string sysfs_;
  std::unordered_map<uint32_t, std::string> names_;
};

}  // namespace strata
