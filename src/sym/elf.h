// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What probes and stacks need of a program or a library: where in the file its functions begin, and its sections.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

class ElfFile {
 public:
  explicit ElfFile(int fd);  // which stays open as long as this lives

  [[nodiscard]] bool valid() const { return valid_; }              // an ELF file whose code runs on this machine
  [[nodiscard]] bool narrow() const { return narrow_; }            // its 32-bit code
  [[nodiscard]] bool interpreted() const { return interpreted_; }  // asks for a dynamic loader: has its libraries later

  struct Segment {
    uint64_t address, offset, bytes;
  };
  [[nodiscard]] std::span<const Segment> segments() const { return segments_; }  // those that are executed
  [[nodiscard]] std::vector<std::byte> code(const Segment &segment) const;       // none: it cannot be read

  // In the file, of an address of its code; nullopt: it is not executed.
  [[nodiscard]] std::optional<uint64_t> offset_of(uint64_t address) const;
  [[nodiscard]] std::optional<uint64_t> address_of(uint64_t offset) const;
  [[nodiscard]] bool moves() const { return moves_; }  // where it lies in memory is chosen as it is loaded

  [[nodiscard]] uint64_t entry() const { return entry_; }  // the address where it begins to run
  [[nodiscard]] uint32_t owner() const { return owner_; }  // the file's
  // CRC-32 of all its bytes, as .gnu_debuglink has it; nullopt if they cannot be read, or are more than may be.
  [[nodiscard]] std::optional<uint32_t> checksum() const;

  struct Section {
    uint64_t address = 0, offset = 0;  // the latter in the file
    std::vector<std::byte> bytes;      // none: there is no such section, or it cannot be read
    std::string_view why_not;          // "" if it can be
  };
  [[nodiscard]] Section section(std::string_view name) const;  // as ".eh_frame"

  static constexpr size_t kMostPlaces = 64;
  struct Function {
    size_t name;      // its index
    uint64_t offset;  // in the file
  };
  struct Functions {
    std::vector<Function> found;   // of any version, each place once
    std::string_view why_not_all;  // "" if all symbols were read
  };
  [[nodiscard]] Functions functions(std::span<const std::string_view> names) const;  // those with these names

  struct NamedFunction {
    std::string name;
    uint64_t offset;  // in the file
  };
  struct NamedFunctions {
    std::vector<NamedFunction> found;
    std::string_view why_not_all;
  };
  [[nodiscard]] NamedFunctions functions() const;  // all, some of them twice

  struct Symbol {
    uint64_t address, bytes;
  };
  // A function or a variable, but none that each thread has for itself.
  [[nodiscard]] std::optional<Symbol> symbol(std::string_view name) const;

 private:
  int fd_;
  uint64_t bytes_ = 0, stored_ = 0;  // of the file, and of those on disk
  uint64_t entry_ = 0;
  uint32_t owner_ = UINT32_MAX;
  std::vector<Segment> segments_;
  bool valid_ = false, narrow_ = false, interpreted_ = false, moves_ = false;

  template <typename Class>
  void read_head();
  template <typename Class>
  [[nodiscard]] Section read_section(std::string_view name) const;
  template <typename Class, typename Each>
  void each_symbol(class ElfReader &reader, const Each &each) const;
  template <typename Class, typename Each>
  void each_function(class ElfReader &reader, const Each &each) const;
  template <typename Class>
  [[nodiscard]] std::optional<Symbol> find_symbol(std::string_view name) const;
  template <typename Class>
  [[nodiscard]] NamedFunctions list() const;
  template <typename Class>
  [[nodiscard]] Functions find(std::span<const std::string_view> names) const;
};

}  // namespace strata
