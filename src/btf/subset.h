// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Of a kernel's types those that CO-RE looks at for one BPF object: it takes a few hundred of 140,000.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "btf/file.h"

struct btf;

namespace strata {

inline constexpr std::string_view kTracepointPrefix = "btf_trace_";

struct RelocatedTypes {
  std::set<std::string> names;    // of structures, unions, enumerations, typedefs, tracepoints (btf_trace_NAME)
  std::set<std::string> members;  // of structures and unions
  void add(const RelocatedTypes &more);
};

// BTF, as it stands in a file, with these types and all that they contain by value. Structures and unions keep their
// size and the members of these names: whichever has them, as a program's own declaration of a part of one need not be
// named as the kernel's is. A pointer leads to void: for a field its kind is all that CO-RE compares. Of a tracepoint
// the number of its arguments stays. What vmlinux does not define is looked for in modules, which stand on it.
std::string btf_subset(const BtfFile &types, const RelocatedTypes &wanted,
                       std::span<const BtfFile *const> modules = {});

// What CO-RE may look for on behalf of an object with these types: a name's part from ___ on is only its own.
RelocatedTypes types_to_relocate(const btf *of_object);

}  // namespace strata
