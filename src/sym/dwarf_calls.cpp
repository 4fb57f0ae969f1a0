// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/dwarf_calls.h"

#include <string_view>

#include "sym/dwarf_die.h"

namespace strata {
namespace {

constexpr unsigned kMostDepth = 16;        // of classes in classes
constexpr uint32_t kMostInRegisters = 16;  // bytes of a result

bool is_by_address(Dwarf_Die &record, unsigned depth);

// Its own, without what a template was made with.
std::string_view plain_name(Dwarf_Die &die) {
  const char *name = dwarf_diename(&die);
  const std::string_view all = name == nullptr ? "" : name;
  return all.substr(0, all.find('<'));
}

// Does it take a reference to its class?
bool copies(Dwarf_Die &constructor, Dwarf_Die &record) {
  unsigned count = 0;
  bool to_itself = false;
  each_child(constructor, [&](Dwarf_Die &parameter) {
    if (dwarf_tag(&parameter) != DW_TAG_formal_parameter || count++ != 1) return;
    std::optional<Dwarf_Die> type = die_of(parameter, DW_AT_type);
    const int tag = type ? dwarf_tag(&*type) : 0;
    if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) return;
    const std::optional<Dwarf_Die> of = record_of(*type);
    to_itself = of && of->addr == record.addr;
  });
  return to_itself;
}

// That the compiler made none of: a destructor, or what copies or moves.
bool needs_address(Dwarf_Die &function, Dwarf_Die &record) {
  if (number_of(function, DW_AT_virtuality).value_or(DW_VIRTUALITY_none) != DW_VIRTUALITY_none) return true;
  if (dwarf_hasattr(&function, DW_AT_artificial) != 0 || dwarf_hasattr(&function, DW_AT_deleted) != 0) return false;
  if (number_of(function, DW_AT_defaulted) == DW_DEFAULTED_in_class) return false;
  const std::string_view name = plain_name(function);
  return name.starts_with('~') || (name == plain_name(record) && copies(function, record));
}

bool holds_such(Dwarf_Die &member, unsigned depth) {
  if (dwarf_hasattr(&member, DW_AT_declaration) != 0) return false;  // static
  if (number_of(member, DW_AT_virtuality).value_or(DW_VIRTUALITY_none) != DW_VIRTUALITY_none) return true;
  std::optional<Dwarf_Die> record = record_of(member);
  return record && is_by_address(*record, depth + 1);
}

// Itanium C++ ABI, 3.1.1. Compilers may say it, and few do.
bool is_by_address(Dwarf_Die &record, unsigned depth) {
  if (const std::optional<uint64_t> said = number_of(record, DW_AT_calling_convention))
    return *said == DW_CC_pass_by_reference;
  bool found = false;
  each_child(record, [&](Dwarf_Die &child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) found = found || needs_address(child, record);
    if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
      found = found || (depth < kMostDepth && holds_such(child, depth));
  });
  return found;
}

}  // namespace

std::optional<Dwarf_Die> passed_by_address(Dwarf_Die &die) {
  std::optional<Dwarf_Die> record = record_of(die);
  return record && is_by_address(*record, 0) ? record : std::nullopt;
}

bool has_result_address(Dwarf_Die &function) {
#if defined(__aarch64__)  // whose x8 is for it alone
  return false;
#endif
  std::optional<Dwarf_Die> record = record_of(function);
  return record && (size_of(*record) > kMostInRegisters || is_by_address(*record, 0));
}

}  // namespace strata
