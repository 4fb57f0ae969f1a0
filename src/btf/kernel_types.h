// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the running kernel has, from its BTF (vmlinux and modules) and from kallsyms where a module has no BTF (5.10). A
// file has the types of a kernel that was built without; then they say how data lie, and no program is attached by
// them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "btf/file.h"

namespace strata {

struct RelocatedTypes;

// From now on instead of the kernel's own: BTF that begins there in a file. False: there is none, or none that is
// sound.
[[nodiscard]] bool read_kernel_types_from(const std::string &path, uint64_t begins_at);
bool kernel_has_types();  // of its own, and they are those that are read

struct TypeId {
  uint32_t number = 0;  // 0: it has no BTF
  std::string module;   // that it belongs to; empty: vmlinux
};
TypeId typed_tracepoint(const std::string &name);  // of its btf_trace_ type
TypeId typed_function(const std::string &name);

// By its name and kind (BTF_KIND_STRUCT, ...), in vmlinux or a module.
BtfType kernel_type(const std::string &name, uint32_t kind);

bool has_kernel_types();  // BTF of vmlinux that can be read
// BTF of vmlinux, cut down to what is wanted of it (btf/subset.h); empty if there is none. With `of_modules` also
// theirs, for what it lacks; to read them is not worth it for an object of which no hook is in a module.
std::string kernel_types_for(const RelocatedTypes &wanted, bool of_modules);

bool has_tracepoint(const std::string &name);
bool has_typed_tracepoint(const std::string &name);  // with its arguments in BTF: tp_btf can use it
bool has_function(const std::string &name);
bool has_typed_function(const std::string &name);  // with its arguments in BTF

// By kallsyms, each once and in order: those that match a pattern with *, ? or [] as a whole. Some may be out of reach
// of programs.
std::vector<std::string> functions_like(const std::string &pattern);
std::vector<std::string> functions_of_module(const std::string &module, const std::string &pattern);
std::vector<std::string> tracepoints_like(const std::string &pattern);

// The enumerators of the kernel's own enum of this name, with their values; empty if there is none.
std::vector<std::pair<std::string, uint32_t>> kernel_enum(const std::string &name);

// The number of a tracepoint's arguments, without the leading void *; -1 if it is absent or has no BTF.
int tracepoint_args(const std::string &name);

// Frees what was read of it, 1 to 4 MB; who asks later has it read anew.
void forget_kernel_types();

}  // namespace strata
