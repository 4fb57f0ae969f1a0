// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// DWARF to BTF: functions with what they are called with, types, and all that those lead to. BTF is what reads the
// kernel's types, so that a program's are no second kind of them.
//
// What BTF has no word for: a function is named by its address, "0x401136"; a number of 16 bytes is an array, a base
// class a member without a name; where C++ passes the address of a class, the argument is a pointer to it; where a
// result is written to memory that the caller has, that comes first, as an argument without a name.
#pragma once

#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace strata {

class DwarfTypes {
 public:
  explicit DwarfTypes(Dwarf *dwarf) : dwarf_(dwarf) {}

  void add_functions(const std::vector<uint64_t> &addresses);  // those that begin there
  void add_type(const std::string &name);                      // with "struct ", "union " or "enum ", or a typedef's
  std::string bytes();                                         // of the BTF; "" if there is nothing in it

 private:
  // What of a DIE one type of BTF says: of an array a dimension from kDimension on.
  enum Part : uint32_t { kType, kFunction, kPrototype, kPointerTo, kNowhere, kDimension };
  struct Entry {
    Dwarf_Die die;
    uint32_t part;
  };

  uint32_t mention(Dwarf_Die die, uint32_t part = kType);  // its number: it will be written
  uint32_t mention_of(Dwarf_Die &die);                     // of its DW_AT_type; 0: void
  uint32_t text(const char *name);
  void put(const char *name, uint32_t kind, size_t count, uint32_t size_or_type, bool flag = false);
  void write_all();
  void write(Entry entry);
  [[nodiscard]] const char *name_of(Dwarf_Die &die) const;
  void put_array_of(uint32_t element, uint32_t count);
  void write_number(Dwarf_Die &die);
  void write_record(Dwarf_Die &die, uint32_t kind);
  static std::optional<uint32_t> place_of_member(Dwarf_Die &member);
  void write_enum(Dwarf_Die &die);
  void write_array(Dwarf_Die &die, uint32_t dimension);
  void write_member_pointer(Dwarf_Die &die);
  void write_prototype(Dwarf_Die &die);
  void find_functions(Dwarf_Die &parent, const std::set<uint64_t> &addresses, unsigned depth);
  void find_types();
  void find_types(Dwarf_Die &parent, unsigned depth);
  bool find_declared();

  Dwarf *dwarf_;  // ends with the process
  std::vector<Entry> entries_;
  std::map<std::pair<void *, uint32_t>, uint32_t> numbers_;
  std::set<std::string> declared_;  // "struct foo": not yet looked for
  std::unordered_map<std::string, Dwarf_Die> defined_;
  bool searched_ = false;
  std::map<uint32_t, const char *> named_by_typedef_;
  size_t written_ = 0;
  std::vector<uint32_t> words_;
  std::string texts_ = std::string(1, '\0');
  std::unordered_map<std::string, uint32_t> text_places_;
};

}  // namespace strata
