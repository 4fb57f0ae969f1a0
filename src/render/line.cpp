// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/line.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr size_t kFirstMemory = 256;

// What a column may be widened to: by any name of a task, by an address of IPv6 with its port. One longer path or set
// of flags must not push all later lines off the screen.
constexpr uint32_t kMostOfWords = 16, kMostOfAddress = 47;

// What is left on a wide terminal to a text of any length at the end of a line.
constexpr size_t kLeastOfLast = 40;

// What a value needs for which a terminal of 80 columns may have no room beside the others: an address of IPv6 with or
// without its port, a place in a file of terabytes, or what the column says, as those of tasks do.
uint32_t whole_width(const Field &column) {
  constexpr int kAddressOfIpv4 = 15;  // a column of addresses without ports
  if (column.address) return std::abs(column.width) > kAddressOfIpv4 ? kMostOfAddress : 39;
  return column.unit == Unit::kOffset ? 13 : static_cast<uint32_t>(column.whole);
}

constexpr uint64_t kSpaces = 0x2020202020202020;

// The halves of a name with spaces background, and its bytes: 0 if it is empty or not all plain.
struct PlainComm {
  uint64_t halves[2];
  size_t bytes;
};
inline PlainComm plain_comm(const char (&name)[16]) {
  uint64_t low, high;
  memcpy(&low, name, 8);
  memcpy(&high, name + 8, 8);
  const uint64_t last = high != 0 ? high : low;
  if (last == 0) return {};
  const auto unused = static_cast<unsigned>(__builtin_clzll(last)) & ~7U;  // bits
  const uint64_t filled = last | (kSpaces & ~(UINT64_MAX >> unused));
  const size_t bytes = (high != 0 ? 16 : 8) - unused / 8;
  low = high != 0 ? low : filled;
  high = high != 0 ? filled : kSpaces;
  return {{low, high}, (not_plain(low) | not_plain(high)) != 0 ? 0 : bytes};
}

}  // namespace

TextLine::TextLine(Schema columns, std::span<const size_t> shown, const Clocks &clocks, bool of_table,
                   size_t terminal_columns)
    : clocks_(clocks), of_table_(of_table) {
  grow(kFirstMemory);
  for (const Field &column : columns)
    slots_.push_back({.column = &column,
                      .width = static_cast<uint32_t>(std::abs(column.width)),
                      .most_width = of_table || column.address ? kMostOfAddress : kMostOfWords,
                      .right = column.width > 0,
                      .unit = column.unit});
  for (const size_t column : shown) shown_.push_back(&slots_[column]);
  if (!of_table && !shown_.empty()) use(terminal_columns);
}

// A list, whose values are not known before its head, has its columns as wide as the terminal lets them be. Names and
// numbers come first, because they need the least.
void TextLine::use(size_t terminal_columns) {
  const std::span<Slot *const> all_but_last = std::span(shown_).first(shown_.size() - 1);
  for (Slot *slot : all_but_last)
    slot->width = std::max(slot->width, static_cast<uint32_t>(slot->column->title.size()));
  const Slot &last = *shown_.back();
  size_t used = last.width == 0 ? kLeastOfLast : std::max<size_t>(last.width, last.column->title.size());
  for (const Slot *slot : all_but_last) used += slot->width + 1;
  for (const bool address : {false, true}) {
    for (Slot *slot : all_but_last) {
      const uint32_t whole = whole_width(*slot->column);
      if (slot->column->address != address || whole <= slot->width) continue;
      if (used + whole - slot->width > terminal_columns) continue;
      used += whole - slot->width;
      slot->width = whole;
    }
  }
}

void TextLine::begin() {
  memset(memory_.data(), ' ', static_cast<size_t>(at_ - memory_.data()));
  at_ = memory_.data();
  left_ = shown_.size();
  next_ = shown_.data();
}

void TextLine::grow(size_t bytes) {
  const auto used = static_cast<size_t>(at_ - memory_.data());
  memory_.resize(std::max(used + bytes, 2 * memory_.size()), ' ');
  at_ = memory_.data() + used;
  memory_end_ = memory_.data() + memory_.size();
}

// Of so many spaces those that are left, when they have given what a longer value before them took.
inline size_t TextLine::filling(size_t spaces) {
  if (owed_ == 0) [[likely]]
    return spaces;
  const size_t given = std::min(owed_, spaces);
  owed_ -= given;
  return spaces - given;
}

// Where a value of so many cells begins.
inline char *TextLine::start(const Slot &slot, size_t cells) {
  return slot.right && cells < slot.width ? at_ + filling(slot.width - cells) : at_;
}

// The last value of a line is not filled up, so that no line ends in spaces.
inline void TextLine::finish(Slot &slot, char *end, size_t cells) {
  at_ = end;
  if (--left_ == 0) {
    if (slot.right && cells > slot.width) overflow(slot, cells);
    return;
  }
  if (cells > slot.width) [[unlikely]]
    overflow(slot, cells);
  else if (!slot.right)
    at_ += filling(slot.width - cells);
  at_++;
}

void TextLine::overflow(Slot &slot, size_t cells) {
  if (of_table_ && cells <= slot.most_width) {
    slot.width = static_cast<uint32_t>(cells);
    return;
  }
  owed_ += cells - slot.width;
  slot.needed = static_cast<uint32_t>(std::min<size_t>(cells, UINT32_MAX));
  overflowed_ = true;
}

void TextLine::widen() {
  for (Slot *slot : shown_) {
    if (owed_ > 0 && slot->needed <= slot->most_width) slot->width = std::max(slot->width, slot->needed);
    slot->needed = 0;
  }
  owed_ = 0;
  overflowed_ = false;
}

void TextLine::add_plain(Slot &slot, std::string_view text, size_t cells) {
  room(text.size() + slot.width + 2);
  char *const out = start(slot, cells);
  text.copy(out, text.size());  // which may be none: a null pointer
  finish(slot, out + text.size(), cells);
}

void TextLine::add_text(Slot &slot, std::string_view text) {
  if (plain_prefix(text) == text.size()) return add_plain(slot, text, text.size());
  const std::string safe = safe_text(slot.unit, text);
  add_plain(slot, safe, cells(safe));
}

void TextLine::add_number(Slot &slot, uint64_t number) {
  if (slot.unit == Unit::kNs) {
    char text[kMostScaled];
    memset(text, ' ', sizeof(text));
    const auto bytes = static_cast<size_t>(write_scaled_ns(text, number) - text);
    room(slot.width + kMostScaled + 2);
    char *const out = start(slot, bytes);
    memcpy(out, text, sizeof(text));  // of a known size, and spaces behind
    return finish(slot, out + bytes, bytes);
  }
  if (slot.unit == Unit::kWallNs) {
    time_ns_ = number;
    time_.clear();
    clocks_.append_wall_text(time_, number);
    return add_plain(slot, time_, time_.size());
  }
  if (slot.unit != Unit::kNone) {
    const std::string text = value_text(*slot.column, number, clocks_);
    return add_plain(slot, text, cells(text));
  }
  room(kMostDigits + slot.width + 2);
  const size_t digits = decimal_digits(number);
  finish(slot, write_digits(start(slot, digits), number, digits), digits);
}

// Its zeros become spaces; what is not plain goes the long way.
void TextLine::comm(const char (&name)[16]) {
  Slot &slot = **next_;
  const PlainComm plain = plain_comm(name);
  if (plain.bytes == 0 || slot.right) return RowWriter::comm(name);
  next_++;
  char *const out = room(sizeof(plain.halves) + slot.width + 2);
  memcpy(out, plain.halves, sizeof(plain.halves));
  finish(slot, out + plain.bytes, plain.bytes);
}

void TextLine::formatted(uint64_t number, Formatter format) {
  Slot &slot = **next_++;
  if (slot.right) {
    char text[kFormatterBytes];
    const char *const end = format(text, number);
    return add_plain(slot, {text, end}, static_cast<size_t>(end - text));
  }
  char *const out = room(kFormatterBytes + slot.width + 2);
  char *const end = format(out, number);
  finish(slot, end, static_cast<size_t>(end - out));
}

void TextLine::add(Slot &slot, const Value &value) {
  if (const auto *number = std::get_if<uint64_t>(&value)) return add_number(slot, *number);
  if (const auto *text = std::get_if<std::string>(&value)) return add_text(slot, *text);
  if (const auto *code = std::get_if<LazyText>(&value)) return add_text(slot, code->str());
  const std::string text = value_text(*slot.column, value, clocks_);
  add_plain(slot, text, cells(text));
}

std::string_view TextLine::end() {
  if (overflowed_) [[unlikely]]
    widen();
  *room(1) = '\n';
  at_++;
  return {memory_.data(), at_};
}

}  // namespace strata
