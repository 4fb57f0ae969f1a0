// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_profile.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "expr/type.h"
#include "model/field.h"
#include "subsys/script_maps.h"

namespace strata {
namespace {

using TypeKind = expr::Type::Kind;

constexpr Field kColumns[] = {{.key = "count", .title = "COUNT"},
                              {.key = "stack", .title = "STACK", .unit = Unit::kStack}};

bool has_stack(const expr::Type &type) {
  return type.is(TypeKind::kKernelStack) || type.is(TypeKind::kUserStack) || std::ranges::any_of(type.parts, has_stack);
}

bool of_stacks(const expr::MapPlan &map) { return std::ranges::any_of(map.key, has_stack); }

bool adds_up(const expr::Type &value) {
  if (value.is_aggregate()) return !value.is(TypeKind::kMin) && !value.is(TypeKind::kMax);
  return value.is(TypeKind::kInt) && !value.is_bool;
}

// What a key becomes: from the outside the parts that are no stacks, the functions of the program, those of the kernel.
struct Frames {
  std::vector<std::string> outer;         // the outermost first
  std::vector<std::string> user, kernel;  // the innermost first

  void add(const ScriptText &text, std::span<const expr::Type> types, const std::byte *bytes) {
    for (const expr::Type &type : types) {
      if (type.is(TypeKind::kTuple))
        add(text, type.parts, bytes);
      else if (has_stack(type))
        std::ranges::move(text.frames(type, bytes), std::back_inserter(type.is(TypeKind::kUserStack) ? user : kernel));
      else if (outer.push_back(text.of(type, bytes)); outer.back().empty())
        outer.back() = "[empty]";
      bytes += type.bytes();
    }
  }

  [[nodiscard]] std::string stack() {
    std::vector<std::string> all = std::move(kernel);
    std::ranges::move(user, std::back_inserter(all));
    if (all.empty()) all.emplace_back("[unknown]");
    std::ranges::reverse(outer);
    std::ranges::move(outer, std::back_inserter(all));
    return join(all, "\n");
  }
};

}  // namespace

void require_stacks(const expr::Plan &plan) {
  if (std::ranges::none_of(plan.maps, of_stacks))
    throw usage_error(
        "--output folded, flame and pprof show maps whose keys have a stack, such as @[ustack] = count(), and the "
        "program has none");
  for (const expr::MapPlan &map : plan.maps)
    if (of_stacks(map) && !adds_up(map.value))
      throw usage_error("--output folded, flame and pprof add up what each stack has, and @" + map.name + " is " +
                        expr::name_of(map.value) +
                        "; of count(), sum(), avg(), stats(), hist(), lhist() and integers they do");
}

ScriptProfile profile_of(const expr::Plan &plan, const ScriptMaps &maps, uint64_t from_ns) {
  ScriptProfile made = {.table = {.columns = kColumns, .from_ns = from_ns, .to_ns = monotonic_ns(), .weight = 0}};
  const bool several = std::ranges::count_if(plan.maps, of_stacks) > 1;
  std::map<std::string, uint64_t> weights;  // of stacks whose functions have the same names
  for (uint32_t i = 0; i < plan.maps.size(); i++) {
    const expr::MapPlan &map = plan.maps[i];
    if (!of_stacks(map)) continue;
    for (const ScriptMaps::Entry &entry : maps.read(i, false)) {
      Frames frames;
      if (several) frames.outer.push_back("@" + map.name);
      frames.add(maps.text(), map.key, reinterpret_cast<const std::byte *>(entry.key.data()));
      const uint64_t weight = ScriptMaps::total(map, entry);
      const bool below_zero = map.value.is_signed && static_cast<int64_t>(weight) < 0;
      if (below_zero)
        made.below_zero++;
      else
        weights[frames.stack()] += weight;
    }
  }
  for (const auto &[stack, weight] : weights) made.table.rows.push_back({weight, stack});
  std::ranges::stable_sort(made.table.rows, std::greater(), [](const Row &row) { return std::get<uint64_t>(row[0]); });
  return made;
}

}  // namespace strata
