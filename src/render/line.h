// A line of text for people, made in place: the memory before the values is spaces, so that a value that fits its
// column only has to be put where it belongs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/cells.h"

namespace strata {

class TextLine final : public Cells {
 public:
  // Of these columns of a schema, in this order. The clocks are those of the run.
  TextLine(Schema columns, std::span<const size_t> shown, const Clocks &clocks);

  void begin();  // the next line
  // A value of a column, or as Cells: the columns must then be shown in their order.
  void add(size_t column, const Value &value) { add(slots_[column], value); }
  void add_text(size_t column, std::string_view untrusted) { add_text(slots_[column], untrusted); }
  [[nodiscard]] std::string_view end();  // with its newline; until the next begin()

  // Whether the order is that of the schema, and Cells can be given.
  [[nodiscard]] static bool takes_cells(Schema columns, std::span<const size_t> shown);

 private:
  struct Slot {
    const Column *column;
    uint32_t width;
    bool right;
    Unit unit;
  };

  void take(uint64_t number) override { add_number(**next_++, number); }
  void take(std::string_view text) override { add_text(**next_++, text); }
  void take_comm(const char (&name)[16]) override;
  void take(uint64_t number, Words write) override;
  void take(Value value) override { add(**next_++, value); }
  void take_none() override { add_plain(**next_++, {}, 0); }

  void add(const Slot &slot, const Value &value);
  void add_text(const Slot &slot, std::string_view untrusted);
  void add_number(const Slot &slot, uint64_t number);
  void add_plain(const Slot &slot, std::string_view text, size_t cells);
  char *room(size_t bytes) {  // spaces at the place of the next value
    if (at_ + bytes > memory_end_) grow(bytes);
    return at_;
  }
  void grow(size_t bytes);
  char *start(const Slot &slot, size_t cells) const;
  void finish(const Slot &slot, char *end, size_t cells);

  const Clocks &clocks_;
  std::vector<Slot> slots_;          // by column
  std::vector<const Slot *> shown_;  // in the order of the line
  const Slot *const *next_ = nullptr;
  std::string memory_;
  char *at_ = memory_.data(), *memory_end_ = at_;  // where the next value goes
  size_t left_ = 0;                                // values of this line that are still to come
};

}  // namespace strata
