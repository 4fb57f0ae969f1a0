// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "least_types.h"

#include "base/error.h"
#include "bpf/host.h"
#include "bpf/object.h"
#include "btf/drop_reasons.h"
#include "btf/kernel_types.h"
#include "btf/subset.h"
#include "run/tool.h"
#include "run/types_file.h"

namespace strata {
namespace {

RelocatedTypes types_of(const Tool &tool, const Programs &programs) { return Object(tool.name, programs).types(); }

}  // namespace

void write_least_types(std::span<const Tool *const> tools, const std::string &path) {
  const std::string missing = host().missing(Need::kBtf);
  if (!missing.empty()) throw Error("cannot make " + path + ": " + missing);
  RelocatedTypes wanted;
  wanted.names = drop_reason_types();
  for (const Tool *tool : tools) {
    for (const Programs &programs : all_programs_of(*tool)) wanted.add(types_of(*tool, programs));
    Programs with_stacks = tool->programs;
    with_stacks.elf = tool->stacks.elf;
    if (with_stacks.elf != nullptr) wanted.add(types_of(*tool, with_stacks));
  }
  write_types(path, kernel_types_for(wanted, true));
}

}  // namespace strata
