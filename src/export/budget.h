// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What tracing may cost, as millionths of one CPU: the exporter's own time, and that of the BPF programs. Over it in
// two measurements in a row, which a moment's burst is not, the dearest tool has to go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace strata {

// Of a tool that is attached.
struct ToolCost {
  uint64_t programs = 0;  // millionths of a CPU
  uint64_t reading = 0;   // its part of the exporter's own time

  [[nodiscard]] uint64_t all() const { return programs + reading; }
};

class Budget {
 public:
  explicit Budget(uint64_t millionths) : millionths_(millionths) {}

  // After a measurement; `tools`: none of one that is not attached. The place of the tool to detach, if one has to go.
  std::optional<size_t> judge(uint64_t own, std::span<const std::optional<ToolCost>> tools);
  [[nodiscard]] uint64_t cost() const { return cost_; }  // of all, in the last measurement
  [[nodiscard]] uint64_t millionths() const { return millionths_; }

 private:
  uint64_t millionths_;
  uint64_t cost_ = 0;
  uint32_t over_ = 0;  // measurements in a row
};

std::string cpu_text(uint64_t millionths);  // "0.42% of a CPU"

}  // namespace strata
