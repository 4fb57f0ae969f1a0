// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/irq.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/lines.h"

namespace strata {
namespace {

// include/linux/interrupt.h
constexpr std::string_view kSoftirqs[] = {"HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                          "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU"};

}  // namespace

std::unordered_map<uint32_t, std::string> irq_names(Lines &file) {
  std::unordered_map<uint32_t, std::string> names;
  for (std::string line; file.next(line);) {
    const size_t digits = line.find_first_not_of(' '), colon = line.find(':');
    if (digits == std::string::npos || colon == std::string::npos) continue;
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(&line[digits], &line[colon], number);
    if (error != std::errc() || end != &line[colon]) continue;
    const size_t gap = line.rfind("  ");
    const std::string name = gap != std::string::npos && gap > colon ? line.substr(gap + 2) : "";
    if (name.find_first_not_of("0123456789") != std::string::npos) names[number] = name;  // else it is a count
  }
  return names;
}

const std::string &Irqs::name(uint32_t number) {
  if (!names_.contains(number) && !file_.empty()) {
    Lines file(file_);
    for (auto &[irq, name] : irq_names(file)) names_.try_emplace(irq, std::move(name));
  }
  return names_.try_emplace(number, "irq " + std::to_string(number)).first->second;
}

uint32_t highest_irq() {
  Lines file("/proc/interrupts");
  uint32_t highest = 0;
  for (const auto &[irq, name] : irq_names(file)) highest = std::max(highest, irq);
  return highest;
}

std::string softirq_name(uint32_t vector) {
  return vector < std::size(kSoftirqs) ? std::string(kSoftirqs[vector]) : "softirq " + std::to_string(vector);
}

}  // namespace strata
