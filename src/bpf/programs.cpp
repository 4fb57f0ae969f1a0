// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/programs.h"

#include <bpf/libbpf.h>

#include <cerrno>
#include <memory>

#include "bpf/embedded.h"
#include "bpf/object.h"

namespace strata {

std::vector<ProgramName> programs_of(const Programs &programs) {
  size_t size = 0;
  const void *elf = programs.elf(&size);
  const std::unique_ptr<bpf_object, decltype(&bpf_object__close)> object(bpf_object__open_mem(elf, size, nullptr),
                                                                         bpf_object__close);
  free_inflated();
  if (!object) throw_open_error(errno);
  std::vector<ProgramName> names;
  bpf_program *program = nullptr;
  bpf_object__for_each_program(program, object.get()) {
    const auto [hook, variant] = split_program_name(bpf_program__name(program));
    names.push_back({.hook = std::string(hook),
                     .variant = variant != nullptr ? variant->suffix : "",
                     .section = bpf_program__section_name(program)});
  }
  return names;
}

}  // namespace strata
