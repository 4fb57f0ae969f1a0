// What a uprobe needs of a program or a library: where in the file its functions begin.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace strata {

class ElfFile {
 public:
  explicit ElfFile(int fd);  // which stays open as long as this lives

  [[nodiscard]] bool valid() const { return valid_; }              // an ELF file whose code runs on this machine
  [[nodiscard]] bool narrow() const { return narrow_; }            // its 32-bit code
  [[nodiscard]] bool interpreted() const { return interpreted_; }  // asks for a dynamic loader: has its libraries later

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

 private:
  struct Segment {
    uint64_t address, offset, bytes;
  };

  int fd_;
  uint64_t bytes_ = 0, stored_ = 0;  // of the file, and of those on disk
  std::vector<Segment> segments_;    // those that are executed
  bool valid_ = false, narrow_ = false, interpreted_ = false;

  template <typename Class>
  void read_head();
  template <typename Class>
  [[nodiscard]] Functions find(std::span<const std::string_view> names) const;
};

}  // namespace strata
