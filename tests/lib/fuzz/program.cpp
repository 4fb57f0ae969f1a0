// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a program of the probe language: refused with a sentence at its place, or instructions whose jumps end
// within them, and whose records have the sizes that user space expects.
#include <linux/bpf.h>

#include "expr/compile.h"
#include "expr/imports.h"
#include "expr/parser.h"
#include "fuzz.h"

namespace strata {
namespace {

expr::Target target_of(const std::string &kind) {
  expr::Target target = {.kind = kind, .title = kind + ":place", .name = "place"};
  if (kind == "begin" || kind == "end" || kind == "profile" || kind == "interval") return target;
  target.arguments = {{.name = "file", .type = expr::pointer_to(expr::int_type(1), expr::Space::kUnknown), .offset = 0},
                      {.name = "count", .type = expr::int_type(8, false), .offset = 1}};
  return target;
}

void require_inside(const expr::Half &half) {
  const auto size = static_cast<int64_t>(half.instructions.size());
  for (int64_t at = 0; at < size; at++) {
    const bpf_insn &one = half.instructions[static_cast<size_t>(at)];
    const int kind = BPF_OP(one.code);
    const bool jumps = BPF_CLASS(one.code) == BPF_JMP && kind != BPF_CALL && kind != BPF_EXIT;
    if (jumps) require(at + 1 + one.off >= 0 && at + 1 + one.off < size);
  }
  require(size > 0 && half.instructions.back().code == (BPF_JMP | BPF_EXIT));
  for (const uint32_t first : half.functions) require(half.instructions.at(first - 1).code == (BPF_JMP | BPF_EXIT));
  for (const expr::Reference &one : half.references) require(one.instruction + 1 < half.instructions.size());
}

// Two files that import each other; no others are there.
std::vector<expr::Source> programs_at(const std::string &path) {
  if (path != "a" && path != "b") throw Error("there is no such file");
  return {{path, path == "a" ? "import \"b\"" : "import \"a\"; begin { }"}};
}

void check(const std::string &text) {
  const expr::Source source = expr::with_imports(expr::Source("fuzz", text), programs_at);
  expr::Program program = expr::parse(source, {});
  expr::Types types([](const std::string &, uint32_t) { return BtfType{}; });
  types.define(program, source);
  std::vector<std::vector<expr::Target>> targets;
  for (const expr::Probe &probe : program.probes) {
    targets.emplace_back();
    for (const expr::AttachPoint &place : probe.places) targets.back().push_back(target_of(place.kind));
  }
  const expr::Circumstances circumstances = {.loops = [] { return true; }, .possible_cpus = [] { return 2; }};
  const expr::Plan plan =
      expr::compile(source, program, targets, types, circumstances, expr::settings_of(source, program));
  for (const expr::Code &code : plan.programs) {
    require_inside(code.main);
    if (!code.rest.instructions.empty()) require_inside(code.rest);
  }
  for (const expr::MapPlan &map : plan.maps) require(map.key_bytes() % 8 == 0 && map.value_bytes() % 8 == 0);
}

}  // namespace
}  // namespace strata

int fuzz_program(const uint8_t *data, size_t size) {
  try {
    strata::check({reinterpret_cast<const char *>(data), size});
  } catch (const strata::Error &error) {
    strata::require(error.exit_status() == strata::kUsageStatus);
  }
  return 0;
}
