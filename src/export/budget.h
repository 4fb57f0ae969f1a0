// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What tracing may cost, as millionths of one CPU: the BPF programs, and the reading of what they count. Over it in two
// measurements in a row, which a moment's burst is not, a tool that can looks at fewer events, and in quieter times at
// more again; if none can, the dearest has to go. Answers to requests are not held against a tool: whoever asks often
// would end it.
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
  uint32_t one_in = 0;    // it looks at one event in so many, a power of two; 0: it looks at each, and cannot do else

  [[nodiscard]] uint64_t all() const { return programs + reading; }
};

class Budget {
 public:
  struct Step {
    size_t tool;      // its place
    uint32_t one_in;  // that it is to look at from now on; 0: it has to go

    bool operator==(const Step &) const = default;
  };

  // `thinnest`: of what can look at fewer events.
  Budget(uint64_t millionths, uint32_t thinnest) : millionths_(millionths), thinnest_(thinnest) {}

  // After a measurement; `tools`: none of one that is not attached. What is to be done, if anything.
  std::optional<Step> judge(uint64_t own, std::span<const std::optional<ToolCost>> tools);
  [[nodiscard]] uint64_t cost() const { return cost_; }      // of all, in the last measurement
  [[nodiscard]] uint64_t judged() const { return judged_; }  // of what the budget is about
  [[nodiscard]] uint64_t millionths() const { return millionths_; }

 private:
  using Tools = std::span<const std::optional<ToolCost>>;

  [[nodiscard]] bool can_thin(const ToolCost &tool) const;
  [[nodiscard]] uint32_t thinner(const ToolCost &tool) const;
  [[nodiscard]] Step relief(Tools tools) const;
  [[nodiscard]] std::optional<Step> denser(Tools tools) const;

  uint64_t millionths_;
  uint32_t thinnest_;
  uint64_t cost_ = 0, judged_ = 0;  // with the rest of the exporter's own time, and without it
  uint32_t over_ = 0, calm_ = 0;    // measurements in a row
};

std::string cpu_text(uint64_t millionths);  // "0.42% of a CPU"

}  // namespace strata
