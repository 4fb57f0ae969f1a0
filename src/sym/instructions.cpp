// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/instructions.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace strata {
namespace {

// What follows an opcode, by the opcode maps of Intel's manual (volume 2, appendix A), a letter for each:
//   .  nothing            m  ModRM                 M  ModRM and an immediate byte     Z  ModRM and one of 2 or 4 bytes
//   b  a byte             w  two                   z  two or four                     j  four
//   e  three (enter)      a  an address            v  as wide as the operand (mov)
//   T  ModRM and, of test (/0 and /1), a byte       U  the same, two or four
//   x  no instruction
using Map = std::array<std::string_view, 16>;

constexpr Map kOneByte = {
    "mmmmbzxxmmmmbzxx",  // 0x: add, or; 0f is another map
    "mmmmbzxxmmmmbzxx",  // 1x
    "mmmmbzxxmmmmbzxx",  // 2x: those that are prefixes do not come here
    "mmmmbzxxmmmmbzxx",  // 3x
    "xxxxxxxxxxxxxxxx",  // 4x: REX
    "................",  // 5x: push, pop
    "xxxmxxxxzZbM....",  // 6x
    "bbbbbbbbbbbbbbbb",  // 7x: jumps
    "MZxMmmmmmmmmmmmm",  // 8x
    "..........x.....",  // 9x
    "aaaa....bz......",  // ax
    "bbbbbbbbvvvvvvvv",  // bx: mov
    "MMw.xxMZe.w..bx.",  // cx
    "mmmmxxx.mmmmmmmm",  // dx
    "bbbbbbbbjjxb....",  // ex
    "x.x...TU......mm",  // fx
};

constexpr Map kTwoBytes = {
    "mmmmx.....x.xm.M",  // 0x
    "mmmmmmmmmmmmmmmm",  // 1x
    "mmmmxxxxmmmmmmmm",  // 2x
    "......x.xxxxxxxx",  // 3x: 38 and 3a are maps
    "mmmmmmmmmmmmmmmm",  // 4x
    "mmmmmmmmmmmmmmmm",  // 5x
    "mmmmmmmmmmmmmmmm",  // 6x
    "MMMMmmm.mmxxmmmm",  // 7x
    "jjjjjjjjjjjjjjjj",  // 8x: jumps
    "mmmmmmmmmmmmmmmm",  // 9x
    "...mMmmm...mMmmm",  // ax
    "mmmmmmmmmmMmmmmm",  // bx
    "mmMmMMMm........",  // cx
    "mmmmmmmmmmmmmmmm",  // dx
    "mmmmmmmmmmmmmmmm",  // ex
    "mmmmmmmmmmmmmmmm",  // fx
};

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> code) : code_(code) {}

  size_t bytes() {
    const char behind = what_is_behind();
    if (behind == 'x') return 0;
    if (std::string_view("mMZTU").find(behind) != std::string_view::npos) skip_operand();
    skip(immediate_bytes(behind));
    return at_ <= code_.size() && at_ <= kMost ? at_ : 0;
  }

 private:
  static constexpr size_t kMost = 15;

  uint8_t peek() const { return at_ < code_.size() ? static_cast<uint8_t>(code_[at_]) : uint8_t{0}; }
  uint8_t next() {
    const uint8_t byte = peek();
    at_++;
    return byte;
  }
  void skip(size_t bytes) { at_ += bytes; }

  char what_is_behind() {
    skip_prefixes();
    uint8_t opcode = next();
    if ((opcode & 0xf0) == 0x40) {
      wide_ = (opcode & 8) != 0;
      opcode = next();
    }
    // What stands for two or three bytes with a VEX, XOP or EVEX prefix in 64-bit mode.
    if (opcode == 0xc5) return in_vector_map(1, 1);
    if (opcode == 0xc4) return in_vector_map(peek() & 31, 2);
    if (opcode == 0x62) return in_vector_map(peek() & 7, 3);
    if (opcode == 0x8f && (peek() & 0x38) != 0 && (peek() & 31) >= 8) return in_amd_map();  // /0 is pop
    if (opcode != 0x0f) return letter(kOneByte, opcode);
    opcode = next();
    if (opcode == 0x38) return (next(), 'm');
    if (opcode == 0x3a) return (next(), 'M');
    return letter(kTwoBytes, opcode);
  }

  void skip_prefixes() {
    for (; std::string_view("\x66\x67\xf2\xf3\xf0\x2e\x36\x3e\x26\x64\x65").find(static_cast<char>(peek())) !=
           std::string_view::npos;
         at_++) {
      narrow_ |= peek() == 0x66;
      short_address_ |= peek() == 0x67;
    }
  }

  // `prefix`: the bytes before the opcode that say which map it is of, and the registers.
  char in_vector_map(int map, size_t prefix) {
    skip(prefix);
    const uint8_t opcode = next();
    if (map == 1) return opcode == 0x77 ? '.' : letter(kTwoBytes, opcode) == 'M' ? 'M' : 'm';
    if (map == 3) return 'M';
    return map == 2 || map == 5 || map == 6 ? 'm' : 'x';
  }

  char in_amd_map() {  // XOP
    const int map = peek() & 31;
    skip(3);
    if (map == 10) narrow_ = wide_ = false;
    return map == 8 ? 'M' : map == 9 ? 'm' : map == 10 ? 'Z' : 'x';
  }

  static char letter(const Map &map, uint8_t opcode) { return map[opcode >> 4][opcode & 15]; }

  // ModRM, and what it says is behind it: SIB, a displacement.
  void skip_operand() {
    const uint8_t modrm = next();
    register_ = modrm >> 3 & 7;
    const int mode = modrm >> 6, base = modrm & 7;
    if (mode == 3) return;
    const bool no_base = (base == 4 ? next() & 7 : base) == 5;
    if (mode == 1) skip(1);
    if (mode == 2 || (mode == 0 && no_base)) skip(4);
  }

  size_t immediate_bytes(char behind) const {
    const size_t two_or_four = narrow_ && !wide_ ? 2 : 4;
    switch (behind) {
      case 'b':
      case 'M':
        return 1;
      case 'T':
        return register_ < 2 ? 1 : 0;
      case 'U':
        return register_ < 2 ? two_or_four : 0;
      case 'w':
        return 2;
      case 'e':
        return 3;
      case 'j':
        return 4;
      case 'z':
      case 'Z':
        return two_or_four;
      case 'v':
        return wide_ ? 8 : two_or_four;
      case 'a':
        return short_address_ ? 4 : 8;
      default:
        return 0;
    }
  }

  std::span<const std::byte> code_;
  size_t at_ = 0;
  int register_ = 0;            // the middle of ModRM, which is a part of some opcodes
  bool narrow_ = false;         // 66
  bool wide_ = false;           // REX.W
  bool short_address_ = false;  // 67
};

}  // namespace

size_t x86_instruction_bytes(std::span<const std::byte> code) { return Decoder(code).bytes(); }

std::optional<CodeStep> instruction_at(std::span<const std::byte> code, uint64_t offset) {
  for (uint64_t from = 0; from <= offset;) {
#if defined(__x86_64__)
    const size_t bytes = from < code.size() ? x86_instruction_bytes(code.subspan(from)) : 0;
#else
    const size_t bytes = from < code.size() ? 4 : 0;
#endif
    if (bytes == 0) return std::nullopt;
    if (offset < from + bytes) return CodeStep{from, from + bytes};
    from += bytes;
  }
  return std::nullopt;
}

}  // namespace strata
