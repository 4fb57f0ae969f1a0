// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What libFuzzer calls in the one program that has all targets: the target by whose name the program was called. The
// Makefile makes the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

using FuzzTarget = int(const uint8_t *data, size_t size);

struct NamedTarget {
  std::string_view name;
  FuzzTarget *run;
};

extern const std::span<const NamedTarget> kTargets;
static FuzzTarget *chosen;

extern "C" int LLVMFuzzerInitialize(int *, char ***arguments) {
  std::string_view name = **arguments;
  name.remove_prefix(name.rfind('/') + 1);
  for (const NamedTarget &target : kTargets) {
    if (target.name == name) chosen = target.run;
  }
  if (chosen) return 0;
  fprintf(stderr, "no target is called %s\n", **arguments);
  exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return chosen(data, size); }
