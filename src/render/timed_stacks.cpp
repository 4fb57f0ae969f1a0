// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/timed_stacks.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "render/page.h"
#include "render/stack_rows.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr uint64_t kPartNs = 1'000'000'000 / 32;

}  // namespace

uint32_t second_of_day(const Clocks &clocks, uint64_t ns) {
  uint32_t hour = 0, minute = 0, second = 0;
  if (sscanf(clocks.wall_text(ns).c_str(), "%2u:%2u:%2u", &hour, &minute, &second) != 3) return 0;
  return (hour * 60 + minute) * 60 + second;
}

void TimedStacks::add(const Table &table, const Clocks &clocks) {
  if (!table.weight) return;
  const auto time = std::find_if(table.columns.begin(), table.columns.end(),
                                 [](const Field &column) { return column.key == "time_ns"; });
  const auto at = static_cast<size_t>(time - table.columns.begin());
  const StackRows stacks(table.columns);
  if (weight_ == nullptr) from_ns_ = table.from_ns;
  to_ns_ = table.to_ns;
  weight_ = &table.columns[*table.weight];
  threads_ = stacks.have_threads();
  for (const Row &row : table.rows) {
    if (at >= row.size() || !std::holds_alternative<uint64_t>(row[at])) continue;  // as SecondParts
    const uint64_t weight = std::get<uint64_t>(row[*table.weight]);
    times_[{stacks.add_to(tree_, row, weight), clocks.wall_ns(std::get<uint64_t>(row[at])) / kPartNs}] += weight;
  }
}

FlameParts TimedStacks::flame(const RunInfo &info, std::span<const Loss> losses, uint64_t from_ns) const {
  if (times_.empty()) return {};
  const Clocks &clocks = info.head.clocks;
  FlamePage page = {.title = printable(info.head.program)};
  if (const std::string run = run_text(info.head); !run.empty()) page.notes.push_back(run);
  page.notes.push_back(span_text(clocks, from_ns_, to_ns_) + "; " + weight_text(*weight_, tree_.total()[0]));
  for (const Loss &loss : losses) page.losses.push_back(lost_text(loss));
  page.weight = weight_;
  page.threads = threads_;
  page.times = &times_;
  page.first_part = clocks.wall_ns(from_ns) / kPartNs;
  page.first_second = second_of_day(clocks, from_ns);
  return flame_parts(page, tree_);
}

}  // namespace strata
