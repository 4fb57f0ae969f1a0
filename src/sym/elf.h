// What a uprobe needs of a program or a library: where in the file its functions begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

struct Elf;

namespace strata {

class ElfFile {
 public:
  explicit ElfFile(int fd);  // which stays open as long as this lives

  [[nodiscard]] bool valid() const { return valid_; }              // an ELF file whose code runs on this machine
  [[nodiscard]] bool narrow() const { return narrow_; }            // its 32-bit code
  [[nodiscard]] bool interpreted() const { return interpreted_; }  // asks for a dynamic loader: has its libraries later

  struct Function {
    size_t name;      // its index
    uint64_t offset;  // in the file
  };
  // Those with these names, of any version, each place once.
  [[nodiscard]] std::vector<Function> functions(std::span<const std::string_view> names) const;

 private:
  struct Segment {
    uint64_t address, offset, bytes;
  };
  struct End {
    void operator()(Elf *elf) const;
  };

  [[nodiscard]] bool read_segments();

  std::unique_ptr<Elf, End> elf_;
  std::vector<Segment> segments_;  // those that are executed
  bool valid_ = false, narrow_ = false, interpreted_ = false;
};

}  // namespace strata
