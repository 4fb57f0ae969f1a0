#include "render/line.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr size_t kFirstMemory = 256;

uint64_t bits_of(std::span<const size_t> shown) {
  uint64_t bits = 0;
  for (const size_t column : shown) bits |= column < 64 ? uint64_t{1} << column : 0;
  return bits;
}

// The name with spaces behind, and its bytes: 0 if it is empty or not all ' ' to '~'.
size_t plain_comm(const char (&name)[16], char (&text)[16]) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x80 * kOnes;
  uint64_t halves[2];
  memcpy(halves, name, sizeof(halves));
  const size_t whole = halves[1] == 0 ? 0 : 1;
  const uint64_t last = halves[whole];
  if (last == 0) return 0;
  const auto unused = static_cast<unsigned>(__builtin_clzll(last)) & ~7U;  // bits
  if (unused != 0) halves[whole] |= ' ' * kOnes << (64 - unused);
  if (whole == 0) halves[1] = ' ' * kOnes;
  for (const uint64_t half : halves) {
    if ((((half - ' ' * kOnes) | half | (half + kOnes)) & kHighs) != 0) return 0;
  }
  memcpy(text, halves, sizeof(halves));
  return 8 * whole + 8 - unused / 8;
}

}  // namespace

TextLine::TextLine(Schema columns, std::span<const size_t> shown, const Clocks &clocks)
    : Cells(bits_of(shown)), columns_(columns), clocks_(clocks), slots_(columns.size()), shown_(shown.size()) {
  grow(kFirstMemory);
  for (const size_t column : shown) {
    const int width = columns[column].width;
    slots_[column] = {
        .width = static_cast<uint32_t>(std::abs(width)), .right = width > 0, .unit = columns[column].unit};
  }
}

bool TextLine::takes_cells(Schema columns, std::span<const size_t> shown) {
  return columns.size() <= 64 &&
         std::adjacent_find(shown.begin(), shown.end(), [](size_t a, size_t b) { return a >= b; }) == shown.end();
}

void TextLine::begin() {
  memset(memory_.data(), ' ', static_cast<size_t>(at_ - memory_.data()));
  at_ = memory_.data();
  left_ = shown_;
  restart();
}

void TextLine::grow(size_t bytes) {
  const auto used = static_cast<size_t>(at_ - memory_.data());
  memory_.resize(std::max(used + bytes, 2 * memory_.size()), ' ');
  at_ = memory_.data() + used;
  memory_end_ = memory_.data() + memory_.size();
}

// Where a value of so many cells begins.
inline char *TextLine::start(const Slot &slot, size_t cells) const {
  return slot.right && cells < slot.width ? at_ + (slot.width - cells) : at_;
}

// The last value of a line is not filled up, so that no line ends in spaces.
inline void TextLine::finish(const Slot &slot, char *end, size_t cells) {
  at_ = end;
  if (--left_ == 0) return;
  if (!slot.right && cells < slot.width) at_ += slot.width - cells;
  at_++;
}

void TextLine::add_plain(size_t column, std::string_view text, size_t cells) {
  const Slot &slot = slots_[column];
  room(text.size() + slot.width + 2);
  char *const out = start(slot, cells);
  memcpy(out, text.data(), text.size());
  finish(slot, out + text.size(), cells);
}

void TextLine::add_text(size_t column, std::string_view text) {
  if (plain_prefix(text) == text.size()) return add_plain(column, text, text.size());
  std::string safe;
  const size_t cells = append_printable(safe, text);
  add_plain(column, safe, cells);
}

void TextLine::add_number(size_t column, uint64_t number) {
  const Slot &slot = slots_[column];
  if (slot.unit == Unit::kNs) {
    char text[kMostScaled];
    memset(text, ' ', sizeof(text));
    const auto bytes = static_cast<size_t>(write_scaled_ns(text, number) - text);
    room(slot.width + kMostScaled + 2);
    char *const out = start(slot, bytes);
    memcpy(out, text, sizeof(text));  // of a known size, and spaces behind
    return finish(slot, out + bytes, bytes);
  }
  if (slot.unit != Unit::kNone) {
    const std::string text = value_text(columns_[column], number, clocks_);
    return add_plain(column, text, cells(text));
  }
  room(kMostDigits + slot.width + 2);
  const size_t digits = decimal_digits(number);
  finish(slot, write_decimal(start(slot, digits), number), digits);
}

// Its zeros become spaces; what is not plain goes the long way.
void TextLine::take_comm(const char (&name)[16]) {
  const Slot &slot = slots_[column()];
  char text[sizeof(name)];
  const size_t bytes = plain_comm(name, text);
  if (bytes == 0 || slot.right) return Cells::take_comm(name);
  char *const out = room(sizeof(text) + slot.width + 2);
  memcpy(out, text, sizeof(text));
  finish(slot, out + bytes, bytes);
}

void TextLine::take(uint64_t number, Words write) {
  const Slot &slot = slots_[column()];
  if (slot.right) {
    char text[kMostWords];
    const char *const end = write(text, number);
    return add_plain(column(), {text, end}, static_cast<size_t>(end - text));
  }
  char *const out = room(kMostWords + slot.width + 2);
  char *const end = write(out, number);
  finish(slot, end, static_cast<size_t>(end - out));
}

void TextLine::add(size_t column, const Value &value) {
  if (const auto *number = std::get_if<uint64_t>(&value)) return add_number(column, *number);
  if (const auto *text = std::get_if<std::string>(&value)) return add_text(column, *text);
  if (const auto *code = std::get_if<Code>(&value)) return add_text(column, code->str());
  const std::string text = value_text(columns_[column], value, clocks_);
  add_plain(column, text, cells(text));
}

std::string_view TextLine::end() {
  *room(1) = '\n';
  at_++;
  return {memory_.data(), at_};
}

}  // namespace strata
