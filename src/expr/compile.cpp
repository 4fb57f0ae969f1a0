// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/compile.h"

#include <algorithm>

#include "expr/check.h"

namespace strata::expr {
namespace {

constexpr size_t kMostTried = 4;  // programs that a place may share
constexpr int kMostRounds = 16;   // each finds the type of one map more, of those that depend on each other

uint64_t number_of_name(Plan &plan, const std::string &name) {
  const auto number = static_cast<uint64_t>(std::ranges::find(plan.names, name) - plan.names.begin());
  if (number == plan.names.size()) plan.names.push_back(name);
  return number;
}

// Of a probe with many places that it need not tell apart, one program serves them all.
template <typename Generate>
void add_code(Plan &plan, size_t probe, bool several, bool cookies, const Target &target, const Generate &generate) {
  const auto place = static_cast<uint32_t>(plan.places.size());
  const uint64_t cookie = number_of_name(plan, target.title) << 32 | number_of_name(plan, target.name);
  plan.places.push_back({.title = target.title, .name = target.name, .cookie = cookie});
  Generator::Numbers numbers = {.cookie = cookie, .shares = several && cookies};
  for (size_t i = plan.programs.size(), tried = 0; several && i-- > 0 && tried < kMostTried; tried++) {
    Code &known = plan.programs[i];
    if (known.probe != probe || known.target.kind != target.kind) break;
    numbers.program = static_cast<uint32_t>(i);
    const Code code = generate(numbers);
    if (!(code.main == known.main && code.rest == known.rest)) continue;
    known.places.push_back(place);
    return;
  }
  numbers.program = static_cast<uint32_t>(plan.programs.size());
  plan.programs.push_back(generate(numbers));
  plan.programs.back().probe = probe;
  plan.programs.back().places = {place};
}

// BTF may be gone when they are shown.
void name_enums(Plan &plan, Types &types, const std::vector<Type> &shown) {
  for (const Type &type : shown) {
    if (type.is_enum() && !plan.enums.contains(type.name)) plan.enums[type.name] = types.names_of_enum(type.name);
    name_enums(plan, types, type.parts);
    if (type.is(Type::Kind::kWhole) || type.is(Type::Kind::kArray)) name_enums(plan, types, {*type.to});
    if (type.is(Type::Kind::kRecord))
      for (const Field &field : type.record->fields) name_enums(plan, types, {field.type});
  }
}

}  // namespace

Plan compile(const Source &source, Program &program, const std::vector<std::vector<Target>> &targets, Types &types,
             const Circumstances &circumstances, const Settings &settings) {
  Plan plan;
  plan.settings = settings;
  for (const MapDeclaration &one : program.maps)
    plan.declared.push_back({.name = one.name,
                             .keys = static_cast<uint32_t>(one.keys),
                             .evicts = one.kind.find("lru") != std::string::npos});
  Check check(source, types, plan, circumstances);
  const auto look = [&](bool last, const auto &each) {
    bool changed = false;
    for (size_t i = 0; i < program.probes.size(); i++)
      for (const Target &target : targets[i]) {
        changed = check.probe(program.probes[i], target, last) || changed;
        each(i, target);
      }
    return changed;
  };
  const auto nothing = [](size_t, const Target &) {};
  for (int round = 0; round < kMostRounds && look(false, nothing); round++) {
  }
  Generator generator(source, plan, circumstances);
  look(true, [&](size_t i, const Target &target) {
    const bool cookies = target.is("rawtracepoint") ? circumstances.raw_cookies : circumstances.cookies;
    add_code(plan, i, targets[i].size() > 1 && !target.is_ours() && !target.is_typed(), cookies, target,
             [&](const Generator::Numbers &numbers) {
               return generator.code_of(program.probes[i], target, check, numbers);
             });
  });
  types.look_into(nullptr);
  for (const Action &one : plan.actions) name_enums(plan, types, one.values);
  for (const MapPlan &one : plan.maps) {
    name_enums(plan, types, one.key);
    name_enums(plan, types, {one.value});
  }
  return plan;
}

}  // namespace strata::expr
