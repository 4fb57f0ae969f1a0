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

  void begin();                                 // the next line
  void add(size_t column, const Value &value);  // or as Cells: the columns must then be shown in their order
  void add_text(size_t column, std::string_view untrusted);
  [[nodiscard]] std::string_view end();  // with its newline; until the next begin()

  // Whether the order is that of the schema, and Cells can be given.
  [[nodiscard]] static bool takes_cells(Schema columns, std::span<const size_t> shown);

 private:
  struct Slot {
    uint32_t width = 0;
    bool right = false;
    Unit unit = Unit::kNone;
  };

  void take(uint64_t number) override { add_number(column(), number); }
  void take(std::string_view text) override { add_text(column(), text); }
  void take_comm(const char (&name)[16]) override;
  void take(uint64_t number, Words write) override;
  void take(Value value) override { add(column(), value); }

  void add_number(size_t column, uint64_t number);
  void add_plain(size_t column, std::string_view text, size_t cells);
  char *room(size_t bytes) {  // spaces at the place of the next value
    if (at_ + bytes > memory_end_) grow(bytes);
    return at_;
  }
  void grow(size_t bytes);
  char *start(const Slot &slot, size_t cells) const;
  void finish(const Slot &slot, char *end, size_t cells);

  Schema columns_;
  const Clocks &clocks_;
  std::vector<Slot> slots_;  // by column
  std::string memory_;
  char *at_ = memory_.data(), *memory_end_ = at_;  // where the next value goes
  size_t left_ = 0, shown_;                        // values of this line that are still to come, and of each
};

}  // namespace strata
