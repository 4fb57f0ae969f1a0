// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A line of text for people, made in place: the memory before the values is spaces, so that a value that fits its
// column only has to be put where it belongs. One that does not takes the spaces of the values behind it, so that the
// rest of the line stands where it belongs, as ps does it. If there are too few, it widens its column from there on,
// and the next lines are in columns again: numbers, short words and addresses do, and all rows of a table, which are
// known before its head. A line takes 1,010 instructions, the calls from the ring on among them.
//
// Rejected: a Row of values first, which takes 5,000 (each value is made and destroyed, half of them are not shown, and
// blanks are inserted one by one); templates by output, which are code for each tool.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/field.h"
#include "model/row_writer.h"

namespace strata {

class TextLine final : public RowWriter {
 public:
  // Of these columns of a schema, in this order. The clocks are those of the run. The columns of the terminal are used
  // by lines that are not of a table, as far as there are more than the columns of the schema need.
  TextLine(Schema columns, std::span<const size_t> shown, const Clocks &clocks, bool of_table = false,
           size_t terminal_columns = 0);

  // The next line: then a value for each of the columns, in their order.
  void begin();
  void add(const Value &value) { add(**next_++, value); }
  [[nodiscard]] std::string_view end();                        // with its newline; until the next begin()
  [[nodiscard]] uint64_t time_ns() const { return time_ns_; }  // of the last event whose time is shown

  void number(uint64_t number) override { add_number(**next_++, number); }
  void text(std::string_view text) override { add_text(**next_++, text); }
  void comm(const char (&name)[16]) override;
  void formatted(uint64_t number, Formatter format) override;
  void value(Value value) override { add(**next_++, value); }
  void none() override { add_plain(**next_++, {}, 0); }

 private:
  struct Slot {
    const Field *column;
    uint32_t width, most_width;
    bool right;
    Unit unit;
    uint32_t needed = 0;  // by a value of this line that was longer
  };

  void add(Slot &slot, const Value &value);
  void add_text(Slot &slot, std::string_view untrusted);
  void add_number(Slot &slot, uint64_t number);
  void add_plain(Slot &slot, std::string_view text, size_t cells);
  char *room(size_t bytes) {  // spaces at the place of the next value
    if (at_ + bytes > memory_end_) grow(bytes);
    return at_;
  }
  void grow(size_t bytes);
  void use(size_t terminal_columns);
  size_t filling(size_t spaces);
  char *start(const Slot &slot, size_t cells);
  void finish(Slot &slot, char *end, size_t cells);
  [[gnu::noinline]] void overflow(Slot &slot, size_t cells);
  [[gnu::noinline]] void widen();

  const Clocks &clocks_;
  const bool of_table_;
  bool overflowed_ = false;    // a value of this line was longer than its column
  size_t owed_ = 0;            // cells that such values took, and that no spaces have given yet
  std::vector<Slot> slots_;    // by column
  std::vector<Slot *> shown_;  // in the order of the line
  Slot *const *next_ = nullptr;
  std::string memory_;
  char *at_ = memory_.data(), *memory_end_ = at_;  // where the next value goes
  size_t left_ = 0;                                // values of this line that are still to come
  uint64_t time_ns_ = 0;
  std::string time_;  // its text
};

}  // namespace strata
