// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The functions of a program or a library by address. What lies in none has no name: one that is stretched up to the
// next symbol would be wrong for all static functions of a stripped file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

class ElfFile;

class Symbols {
 public:
  void add(const ElfFile &elf);  // those of .symtab, or else of .dynsym

  struct Named {
    uint64_t from, to;
    std::string_view name;
  };
  void add(const std::vector<Named> &functions);  // where no other symbol begins

  struct Found {
    std::string_view name;  // as it is in the file
    uint64_t offset;        // from the function's start
  };
  [[nodiscard]] std::optional<Found> find(uint64_t address) const;

 private:
  struct Symbol {
    uint64_t from, to;
    uint32_t name_at;
    uint8_t rank;  // of several at one place the least is taken
  };
  bool add(const ElfFile &elf, std::string_view table, std::string_view names);
  void set(std::vector<Symbol> all);

  std::vector<Symbol> symbols_;  // in the order of their addresses, apart from each other
  std::vector<std::byte> names_;
};

// "foo(int)" of "_Z3fooi", and names of Rust; other names as they are, and all without what makes them too long.
std::string demangled(std::string_view name);

}  // namespace strata
