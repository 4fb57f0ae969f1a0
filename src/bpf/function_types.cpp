// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/function_types.h"

#include <bpf/btf.h>
#include <fcntl.h>

#include <cerrno>
#include <memory>

#include "base/error.h"

namespace strata {

FunctionTypes load_function_types(std::span<const uint32_t> first_instructions) {
  const std::unique_ptr<btf, decltype(&btf__free)> types(btf__new_empty(), btf__free);
  const int number = types ? btf__add_int(types.get(), "int", 4, BTF_INT_SIGNED) : -ENOMEM;
  const int signature = number < 0 ? number : btf__add_func_proto(types.get(), number);
  const int function = signature < 0 ? signature : btf__add_func(types.get(), "strata_run", BTF_FUNC_STATIC, signature);
  const int err = function < 0 ? function : btf__load_into_kernel(types.get());
  if (err < 0) throw system_error("cannot tell the kernel of a program's functions", -err);
  FunctionTypes made = {.types = Fd(fcntl(btf__fd(types.get()), F_DUPFD_CLOEXEC, 0)), .functions = {}};
  for (const uint32_t first : first_instructions)
    made.functions.push_back({.insn_off = first, .type_id = static_cast<uint32_t>(function)});
  return made;
}

}  // namespace strata
