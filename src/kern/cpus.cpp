// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/cpus.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/error.h"
#include "base/lines.h"
#include "base/text.h"

namespace strata {
namespace {

constexpr uint32_t kMost = 8192;  // CONFIG_NR_CPUS has no more

// Takes a number off the front; false if there is none.
bool take_number(std::string_view &text, uint32_t &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number >= kMost) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

void add_range(std::string_view range, std::vector<uint32_t> &cpus) {
  uint32_t first = 0;
  if (!take_number(range, first)) return;
  uint32_t last = first;
  if (range.starts_with('-')) {
    range.remove_prefix(1);
    if (!take_number(range, last)) return;
  }
  for (uint32_t cpu = first; cpu <= last; cpu++) cpus.push_back(cpu);
}

}  // namespace

std::vector<uint32_t> cpu_list(std::string_view text) {
  std::vector<uint32_t> cpus;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    add_range(text.substr(0, comma), cpus);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return cpus;
}

std::vector<uint32_t> cpus_named(std::string_view text) {
  std::vector<uint32_t> all;
  for (const std::string_view part : split_commas(text)) {
    const std::vector<uint32_t> some = cpu_list(part);
    if (some.empty() || some.back() >= possible_cpus() || part.find_first_not_of("0123456789-") != std::string::npos)
      throw usage_error("--cpu takes CPUs of this host, as 0-3,7, the last one being " +
                        std::to_string(possible_cpus() - 1) + ", not '" + printable(text) + "'");
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

uint32_t possible_cpus() {
  constexpr const char *kPossible = "/sys/devices/system/cpu/possible";
  const std::vector<uint32_t> cpus = cpu_list(first_line(kPossible));
  if (cpus.empty()) throw Error(std::string("cannot read ") + kPossible);
  return cpus.back() + 1;
}

}  // namespace strata
