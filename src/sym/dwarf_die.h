// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What libdw says of a DIE, as values.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace strata {

inline std::optional<uint64_t> number_of(Dwarf_Die &die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&die, name, &attribute), &number) != 0) return std::nullopt;
  return number;
}

inline std::optional<Dwarf_Die> die_of(Dwarf_Die &die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Die found;
  if (dwarf_formref_die(dwarf_attr_integrate(&die, name, &attribute), &found) == nullptr) return std::nullopt;
  return found;
}

template <typename Each>
void each_child(Dwarf_Die &parent, const Each &each) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do each(child);
  while (dwarf_siblingof(&child, &child) == 0);
}

inline uint32_t size_of(Dwarf_Die &die) {
  const std::optional<uint64_t> bytes = number_of(die, DW_AT_byte_size);
  return static_cast<uint32_t>(std::min<uint64_t>(bytes.value_or(0), UINT32_MAX));
}

inline bool is_record(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_interface_type;
}

// Of DW_AT_type, without typedefs and qualifiers; nullopt: it is none.
inline std::optional<Dwarf_Die> record_of(Dwarf_Die &die) {
  std::optional<Dwarf_Die> type = die_of(die, DW_AT_type);
  Dwarf_Die peeled;
  if (!type || dwarf_peel_type(&*type, &peeled) != 0 || !is_record(dwarf_tag(&peeled))) return std::nullopt;
  return peeled;
}

}  // namespace strata
