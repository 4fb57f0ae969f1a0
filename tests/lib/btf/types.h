// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the other files ask of type information: names without flavours, types without their qualifiers, and whether
// what a program takes a field for is what the kernel has there.
#pragma once

#include <bpf/btf.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace btfcheck {

// One type of a program or of a kernel.
struct Type {
  const btf *in;
  uint32_t id;

  const btf_type *operator->() const { return btf__type_by_id(in, id); }
  [[nodiscard]] const btf_type *get() const { return btf__type_by_id(in, id); }
  [[nodiscard]] Type other(uint32_t other_id) const { return {in, other_id}; }
  [[nodiscard]] std::string_view text(uint32_t offset) const;  // of a name
  [[nodiscard]] std::string_view name() const { return text(get()->name_off); }
};

std::string_view essential(std::string_view name);  // folio of folio___6_15
Type plain(Type type);                              // without const, volatile, typedef, type tags
std::string describe(Type type);                    // as C writes it: unsigned int, struct page *
std::string keyword(Type type);                     // "struct", "enum", "" for what needs none

// Would libbpf take the kernel's field for the program's? It looks at kinds alone.
bool same_kind(Type program, Type kernel);

// Does the program, which loads the size that it declares, get the kernel's value? Also looks at sizes, at signs, and
// at what a pointer points to.
bool same_value(Type program, Type kernel);

}  // namespace btfcheck
