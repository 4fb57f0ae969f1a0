// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/dwarf_types.h"

#include <dwarf.h>
#include <linux/btf.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <optional>
#include <string_view>

#include "base/format.h"
#include "base/text.h"
#include "sym/dwarf_calls.h"
#include "sym/dwarf_die.h"

namespace strata {
namespace {

constexpr uint32_t kNumber = 1;           // the first type: of 8 bytes, for what has parts without types
constexpr size_t kMostFollowed = 50'000;  // types; behind them pointers lead to void
constexpr size_t kMostTypes = 400'000;    // behind them all is void
constexpr unsigned kMostDepth = 32;       // of namespaces, and of classes in classes
constexpr size_t kMostMembers = BTF_MAX_VLEN, kMostParameters = 64;
constexpr uint64_t kMostElements = 1 << 24;
constexpr clock_t kMostSearched = 5 * CLOCKS_PER_SEC;  // of all names: what is found by then is known

template <typename Each>
void each_unit(Dwarf *dwarf, const Each &each) {
  Dwarf_CU *cu = nullptr;
  Dwarf_Die unit;
  uint8_t kind = 0;
  while (dwarf_get_units(dwarf, cu, &cu, nullptr, &kind, &unit, nullptr) == 0)
    if (kind == DW_UT_compile || kind == DW_UT_partial || kind == DW_UT_type) each(unit);
}

bool is_plain_size(uint64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

// "struct foo"; "" of what has no name, or is none.
std::string full_name(Dwarf_Die &die) {
  const char *name = dwarf_diename(&die);
  const int tag = dwarf_tag(&die);
  if (name == nullptr || name[0] == '\0') return "";
  if (tag == DW_TAG_typedef) return name;
  if (tag == DW_TAG_enumeration_type) return std::string("enum ") + name;
  if (!is_record(tag)) return "";
  return (tag == DW_TAG_union_type ? "union " : "struct ") + std::string(name);
}

// Whose functions are called as C's are not.
bool calls_otherwise(int language) {
  return language == DW_LANG_Go || language == DW_LANG_Rust || language == DW_LANG_Swift || language == DW_LANG_OCaml ||
         language == DW_LANG_Haskell;
}

uint64_t beginning(Dwarf_Die &function) {
  Dwarf_Addr base = 0, from = 0, to = 0;
  if (dwarf_entrypc(&function, &from) == 0) return from;
  return dwarf_ranges(&function, 0, &base, &from, &to) > 0 ? from : 0;
}

}  // namespace

// --- what is asked for

void DwarfTypes::add_functions(const std::vector<uint64_t> &addresses) {
  const std::set<uint64_t> wanted(addresses.begin(), addresses.end());
  each_unit(dwarf_, [&](Dwarf_Die &unit) {
    if (calls_otherwise(dwarf_srclang(&unit))) return;
    Dwarf_Addr base = 0, from = 0, to = 0;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(&unit, at, &base, &from, &to)) > 0;) {
      const auto first = wanted.lower_bound(from);
      if (first != wanted.end() && *first < to) return find_functions(unit, wanted, 0);
    }
  });
}

void DwarfTypes::find_functions(Dwarf_Die &parent, const std::set<uint64_t> &addresses, unsigned depth) {
  each_child(parent, [&](Dwarf_Die &child) {
    const int tag = dwarf_tag(&child);
    const bool has_code = tag == DW_TAG_subprogram && dwarf_hasattr(&child, DW_AT_declaration) == 0;
    if (has_code && addresses.contains(beginning(child))) mention(child, kFunction);
    if ((tag == DW_TAG_namespace || tag == DW_TAG_module || is_record(tag)) && depth < kMostDepth)
      find_functions(child, addresses, depth + 1);
  });
}

// A name alone may also be a struct's, as C++ has it.
void DwarfTypes::add_type(const std::string &name) {
  find_types();
  for (const char *prefix : {"", "struct ", "union ", "enum "})
    if (const auto found = defined_.find(prefix + name); found != defined_.end()) {
      mention(found->second);
      return;
    }
}

void DwarfTypes::find_types() {
  if (searched_) return;
  searched_ = true;
  each_unit(dwarf_, [&](Dwarf_Die &unit) { find_types(unit, 0); });
}

void DwarfTypes::find_types(Dwarf_Die &parent, unsigned depth) {
  if (clock() > kMostSearched) return;
  each_child(parent, [&](Dwarf_Die &child) {
    const int tag = dwarf_tag(&child);
    if ((tag == DW_TAG_namespace || is_record(tag)) && depth < kMostDepth && dwarf_haschildren(&child) > 0)
      find_types(child, depth + 1);
    if (dwarf_hasattr(&child, DW_AT_declaration) != 0) return;
    if (std::string name = full_name(child); !name.empty()) defined_.emplace(std::move(name), child);
  });
}

// What is only declared in one unit is defined in another. True: there is more to write.
bool DwarfTypes::find_declared() {
  if (declared_.empty()) return false;
  find_types();
  const size_t before = entries_.size();
  for (const std::string &name : declared_)
    if (const auto found = defined_.find(name); found != defined_.end() && entries_.size() < kMostFollowed)
      mention(found->second);
  declared_.clear();
  return entries_.size() > before;
}

std::string DwarfTypes::bytes() {
  if (entries_.empty()) return "";
  put("number", BTF_KIND_INT, 0, 8);
  words_.push_back(64);
  do write_all();
  while (find_declared());
  btf_header head = {.magic = BTF_MAGIC, .version = BTF_VERSION, .flags = 0, .hdr_len = sizeof(head)};
  head.type_len = static_cast<uint32_t>(words_.size() * sizeof(words_[0]));
  head.str_off = head.type_len;
  head.str_len = static_cast<uint32_t>(texts_.size());
  std::string all(reinterpret_cast<const char *>(&head), sizeof(head));
  all.append(reinterpret_cast<const char *>(words_.data()), head.type_len);
  return all + texts_;
}

// --- numbers, names, heads

uint32_t DwarfTypes::mention(Dwarf_Die die, uint32_t part) {
  if (std::optional<Dwarf_Die> elsewhere = die_of(die, DW_AT_signature)) die = *elsewhere;  // in a unit of its own
  const auto next = static_cast<uint32_t>(entries_.size()) + kNumber + 1;
  if (entries_.size() >= kMostTypes) return 0;
  const auto [at, is_new] = numbers_.try_emplace({die.addr, part}, next);
  if (is_new) entries_.push_back({.die = die, .part = part});
  return at->second;
}

uint32_t DwarfTypes::mention_of(Dwarf_Die &die) {
  const std::optional<Dwarf_Die> type = die_of(die, DW_AT_type);
  return type ? mention(*type) : 0;
}

uint32_t DwarfTypes::text(const char *name) {
  if (name == nullptr || name[0] == '\0') return 0;
  const std::string shown = printable(std::string_view(name, strnlen(name, 256)));
  const auto [at, is_new] = text_places_.try_emplace(shown, texts_.size());
  if (is_new) texts_.append(shown.c_str(), shown.size() + 1);
  return at->second;
}

void DwarfTypes::put(const char *name, uint32_t kind, size_t count, uint32_t size_or_type, bool flag) {
  words_.push_back(text(name));
  words_.push_back(kind << 24 | static_cast<uint32_t>(count) | (flag ? 1U << 31 : 0));
  words_.push_back(size_or_type);
}

// --- types

void DwarfTypes::write_all() {
  for (; written_ < entries_.size(); written_++) write(entries_[written_]);
}

void DwarfTypes::write(Entry entry) {
  Dwarf_Die &die = entry.die;
  if (entry.part == kFunction) {
    const std::string name = formatted("{:#x}", beginning(die));
    return put(name.c_str(), BTF_KIND_FUNC, BTF_FUNC_GLOBAL, mention(die, kPrototype));
  }
  if (entry.part == kPrototype) return write_prototype(die);
  if (entry.part == kNowhere) return put(nullptr, BTF_KIND_PTR, 0, 0);
  if (entry.part == kPointerTo) return put(nullptr, BTF_KIND_PTR, 0, mention(die));
  if (entry.part >= kDimension) return write_array(die, entry.part - kDimension);
  switch (dwarf_tag(&die)) {
    case DW_TAG_base_type:
      return write_number(die);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      return put(nullptr, BTF_KIND_PTR, 0, entries_.size() < kMostFollowed ? mention_of(die) : 0);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_interface_type:
      return write_record(die, BTF_KIND_STRUCT);
    case DW_TAG_union_type:
      return write_record(die, BTF_KIND_UNION);
    case DW_TAG_enumeration_type:
      return write_enum(die);
    case DW_TAG_array_type:
      return write_array(die, 0);
    case DW_TAG_typedef: {
      const uint32_t of = mention_of(die);
      if (const char *name = dwarf_diename(&die); name != nullptr) named_by_typedef_.try_emplace(of, name);
      return put(dwarf_diename(&die), BTF_KIND_TYPEDEF, 0, of);
    }
    case DW_TAG_const_type:
    case DW_TAG_immutable_type:
      return put(nullptr, BTF_KIND_CONST, 0, mention_of(die));
    case DW_TAG_volatile_type:
    case DW_TAG_atomic_type:
      return put(nullptr, BTF_KIND_VOLATILE, 0, mention_of(die));
    case DW_TAG_restrict_type:
      return put(nullptr, BTF_KIND_RESTRICT, 0, mention_of(die));
    case DW_TAG_ptr_to_member_type:
      return write_member_pointer(die);
    case DW_TAG_subroutine_type:
      return put(nullptr, BTF_KIND_FUNC_PROTO, 0, 0);
    case DW_TAG_unspecified_type:  // of nullptr
      return put(nullptr, BTF_KIND_PTR, 0, 0);
    default:
      return put(nullptr, BTF_KIND_STRUCT, 0, size_of(die));
  }
}

// Some that have no name are called as their typedef is.
const char *DwarfTypes::name_of(Dwarf_Die &die) const {
  const char *name = dwarf_diename(&die);
  const auto known = named_by_typedef_.find(static_cast<uint32_t>(written_) + kNumber + 1);
  return name == nullptr && known != named_by_typedef_.end() ? known->second : name;
}

void DwarfTypes::put_array_of(uint32_t element, uint32_t count) {
  put(nullptr, BTF_KIND_ARRAY, 0, 0);
  words_.insert(words_.end(), {element, kNumber, count});
}

void DwarfTypes::write_number(Dwarf_Die &die) {
  const uint32_t bytes = size_of(die);
  const uint64_t encoding = number_of(die, DW_AT_encoding).value_or(DW_ATE_unsigned);
  const char *name = dwarf_diename(&die);
  const bool is_decimal = encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
                          encoding == DW_ATE_imaginary_float || encoding == DW_ATE_decimal_float;
  if (is_decimal) return put(name, BTF_KIND_FLOAT, 0, bytes);
  if (!is_plain_size(bytes)) {
    return put_array_of(kNumber, bytes / 8);
  }
  const bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  const uint32_t kind = encoding == DW_ATE_boolean ? BTF_INT_BOOL : is_signed ? BTF_INT_SIGNED : 0;
  put(name, BTF_KIND_INT, 0, bytes);
  words_.push_back(kind << 24 | bytes * 8);
}

// --- structs

void DwarfTypes::write_record(Dwarf_Die &die, uint32_t kind) {
  if (dwarf_hasattr(&die, DW_AT_declaration) != 0) {
    if (std::string name = full_name(die); !name.empty()) declared_.insert(std::move(name));
    return put(dwarf_diename(&die), BTF_KIND_FWD, 0, 0, kind == BTF_KIND_UNION);
  }
  std::vector<uint32_t> members;
  size_t count = 0;
  each_child(die, [&](Dwarf_Die &child) {
    const int tag = dwarf_tag(&child);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || count == kMostMembers) return;
    const std::optional<uint32_t> place = place_of_member(child);
    if (!place) return;
    members.insert(members.end(), {tag == DW_TAG_member ? text(dwarf_diename(&child)) : 0, mention_of(child), *place});
    count++;
  });
  put(name_of(die), kind, count, size_of(die), true);
  words_.insert(words_.end(), members.begin(), members.end());
}

// In bits, with the width of a bit field in the upper 8. None: it is static, or where it lies is known to code alone.
std::optional<uint32_t> DwarfTypes::place_of_member(Dwarf_Die &member) {
  if (dwarf_hasattr(&member, DW_AT_declaration) != 0 || dwarf_hasattr(&member, DW_AT_const_value) != 0)
    return std::nullopt;
  const std::optional<uint64_t> byte = number_of(member, DW_AT_data_member_location);
  if (!byte && dwarf_hasattr(&member, DW_AT_data_member_location) != 0) return std::nullopt;
  const uint64_t width = number_of(member, DW_AT_bit_size).value_or(0);
  uint64_t bit = number_of(member, DW_AT_data_bit_offset).value_or(byte.value_or(0) * 8);
  if (const std::optional<uint64_t> from_above = number_of(member, DW_AT_bit_offset)) {  // before DWARF 4
    std::optional<Dwarf_Die> type = die_of(member, DW_AT_type);
    Dwarf_Die peeled;
    uint64_t bytes = size_of(member);
    if (bytes == 0 && type && dwarf_peel_type(&*type, &peeled) == 0) bytes = size_of(peeled);
    bit = byte.value_or(0) * 8 + bytes * 8 - width - *from_above;
  }
  if (bit >= 1 << 24 || width > 64) return std::nullopt;
  return static_cast<uint32_t>(width << 24 | bit);
}

void DwarfTypes::write_enum(Dwarf_Die &die) {
  struct One {
    uint32_t name;
    uint64_t value;
  };
  std::vector<One> all;
  bool is_signed = false;
  each_child(die, [&](Dwarf_Die &child) {
    if (dwarf_tag(&child) != DW_TAG_enumerator || all.size() == kMostMembers) return;
    Dwarf_Attribute attribute;
    Dwarf_Sword value = 0;
    Dwarf_Word number = 0;
    if (dwarf_attr(&child, DW_AT_const_value, &attribute) == nullptr) return;
    const unsigned form = dwarf_whatform(&attribute);
    const bool has_sign = form == DW_FORM_sdata || form == DW_FORM_implicit_const;
    if (has_sign ? dwarf_formsdata(&attribute, &value) != 0 : dwarf_formudata(&attribute, &number) != 0) return;
    if (has_sign) number = static_cast<Dwarf_Word>(value);
    is_signed = is_signed || value < 0;
    all.push_back({.name = text(dwarf_diename(&child)), .value = number});
  });
  const uint32_t bytes = is_plain_size(size_of(die)) ? size_of(die) : 4;
  put(name_of(die), bytes == 8 ? BTF_KIND_ENUM64 : BTF_KIND_ENUM, all.size(), bytes, is_signed);
  for (const One &one : all) {
    words_.insert(words_.end(), {one.name, static_cast<uint32_t>(one.value)});
    if (bytes == 8) words_.push_back(static_cast<uint32_t>(one.value >> 32));
  }
}

// One of several dimensions is an array of arrays. What one instruction computes with is a float to its user.
void DwarfTypes::write_array(Dwarf_Die &die, uint32_t dimension) {
  if (dwarf_hasattr(&die, DW_AT_GNU_vector) != 0) return put("vector", BTF_KIND_FLOAT, 0, 16);
  std::vector<uint64_t> counts;
  each_child(die, [&](Dwarf_Die &child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type || counts.size() == kMostDepth) return;
    const std::optional<uint64_t> most = number_of(child, DW_AT_upper_bound);
    counts.push_back(number_of(child, DW_AT_count).value_or(most ? *most + 1 : 0));
  });
  const bool is_last = dimension + 1 >= counts.size();
  const uint64_t count = dimension < counts.size() ? counts[dimension] : 0;
  put_array_of(is_last ? mention_of(die) : mention(die, kDimension + dimension + 1),
               count > kMostElements ? 0 : static_cast<uint32_t>(count));
}

// Of data an offset; of a function that, and what is added to `this`.
void DwarfTypes::write_member_pointer(Dwarf_Die &die) {
  std::optional<Dwarf_Die> type = die_of(die, DW_AT_type);
  const bool to_function = type && dwarf_tag(&*type) == DW_TAG_subroutine_type;
  return to_function ? put_array_of(kNumber, 2) : put("member", BTF_KIND_TYPEDEF, 0, kNumber);
}

// --- functions

// What was inlined elsewhere has all that it is called with where it was written.
void DwarfTypes::write_prototype(Dwarf_Die &die) {
  Dwarf_Die written = die_of(die, DW_AT_abstract_origin).value_or(die);
  std::vector<uint32_t> parameters;
  if (has_result_address(die)) parameters = {0, mention(die, kNowhere)};
  each_child(written, [&](Dwarf_Die &child) {
    if (dwarf_tag(&child) != DW_TAG_formal_parameter || parameters.size() == size_t{2} * kMostParameters) return;
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(&child, DW_AT_name, &attribute));
    const std::optional<Dwarf_Die> address = passed_by_address(child);
    parameters.insert(parameters.end(), {text(name), address ? mention(*address, kPointerTo) : mention_of(child)});
  });
  put(nullptr, BTF_KIND_FUNC_PROTO, parameters.size() / 2, 0);
  words_.insert(words_.end(), parameters.begin(), parameters.end());
}

}  // namespace strata
