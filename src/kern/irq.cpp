// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/irq.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/lines.h"
#include "base/text.h"
#include "kern/names_in.h"

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

std::vector<std::string> ipi_names(Lines &file) {
  std::vector<std::string> names;
  for (std::string line; file.next(line);) {
    const size_t gap = line.rfind("  ");
    if (gap != std::string::npos && line.starts_with("IPI" + std::to_string(names.size()) + ":"))
      names.push_back(line.substr(gap + 2));
  }
  return names;
}

std::vector<uint32_t> irqs_of(std::string_view action, const std::string &directory) {
  std::vector<uint32_t> found;
  for (const std::string &name : names_in(directory)) {
    uint64_t number = 0;
    if (first_line(directory + "/" + name + "/actions") == action && parse_number(name, number))
      found.push_back(static_cast<uint32_t>(number));
  }
  std::ranges::sort(found);
  return found;
}

void Irqs::read_names() {
  Lines file(file_), again(file_);
  for (auto &[irq, name] : irq_names(file)) names_.try_emplace(irq, std::move(name));
  const std::vector<std::string> ipis = ipi_names(again);
  if (ipis.empty()) return;
  const std::vector<uint32_t> numbers = irqs_of("IPI");
  for (size_t i = 0; i < std::min(ipis.size(), numbers.size()); i++) names_.try_emplace(numbers[i], ipis[i]);
}

const std::string &Irqs::name(uint32_t number) {
  if (!names_.contains(number) && !file_.empty()) read_names();
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
