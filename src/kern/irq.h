// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Interrupts by number, as /proc/interrupts has them, and softirqs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/lines.h"

namespace strata {

class Irqs {
 public:
  explicit Irqs(std::string file = "/proc/interrupts") : file_(std::move(file)) {}
  void set(uint32_t number, std::string name) { names_[number] = std::move(name); }  // of another machine
  const std::string &name(uint32_t number);  // "nvme0q1", "i801_smbus, ehci_hcd"; "irq 24" if there is none; remembered

 private:
  void read_names();

  std::string file_;
  std::unordered_map<uint32_t, std::string> names_;
};

// Of a file like /proc/interrupts: names by number. They are what follows the last gap of a line.
std::unordered_map<uint32_t, std::string> irq_names(Lines &file);
// By which the CPUs of arm64 call each other: "Rescheduling interrupts". The file has them by a number of their own, in
// the order of those by which the kernel handles them, which the action "IPI" tells.
std::vector<std::string> ipi_names(Lines &file);
std::vector<uint32_t> irqs_of(std::string_view action, const std::string &directory = "/sys/kernel/irq");
uint32_t highest_irq();                     // of this machine, that has a handler
std::string softirq_name(uint32_t vector);  // "NET_RX"; unknown -> "softirq 10"

}  // namespace strata
