// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Interrupts by number, as /proc/interrupts has them, and softirqs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/lines.h"

namespace strata {

class Irqs {
 public:
  explicit Irqs(std::string file = "/proc/interrupts") : file_(std::move(file)) {}
  void set(uint32_t number, std::string name) { names_[number] = std::move(name); }  // of another machine
  const std::string &name(uint32_t number);  // "nvme0q1", "i801_smbus, ehci_hcd"; "irq 24" if there is none; remembered

 private:
  std::string file_;
  std::unordered_map<uint32_t, std::string> names_;
};

// Of a file like /proc/interrupts: names by number. They are what follows the last gap of a line.
std::unordered_map<uint32_t, std::string> irq_names(Lines &file);
uint32_t highest_irq();                     // of this machine, that has a handler
std::string softirq_name(uint32_t vector);  // "NET_RX"; unknown -> "softirq 10"

}  // namespace strata
