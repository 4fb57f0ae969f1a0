// A row on its way from a record to an output, value by value, in the order of its columns. A decoder gives all of
// them; whoever takes them says before which it wants, so that nothing is made that is not shown.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "model/column.h"

namespace strata {

// Writes what a number stands for, in printable ASCII, at most kMostWords bytes; returns the end. What it leaves behind
// its end, up to that most, are spaces.
inline constexpr size_t kMostWords = 32;
using Words = char *(*)(char *out, uint64_t number);

class Cells {
 public:
  explicit Cells(uint64_t wanted) : wanted_(wanted), rest_(wanted) {}  // a bit for each of at most 64 columns
  Cells(const Cells &) = delete;
  Cells &operator=(const Cells &) = delete;
  virtual ~Cells() = default;

  [[nodiscard]] bool wanted() const { return (rest_ & 1) != 0; }  // the next one
  [[nodiscard]] bool any_wanted() const { return rest_ != 0; }    // of those that are left

  void number(uint64_t number) {
    if (wants()) take(number);
  }
  void text(std::string_view text) {  // untrusted; it must live until this returns
    if (wants()) take(text);
  }
  void comm(const char (&name)[16]) {  // as the kernel has it: with zeros behind
    if (wants()) take_comm(name);
  }
  void words(uint64_t number, Words write) {
    if (wants()) take(number, write);
  }
  template <typename Make>
  void made(Make &&make) {  // a text, or any value, that has to be made first
    if (!wants()) return;
    if constexpr (std::is_same_v<decltype(make()), Value>) {
      take(make());
    } else {
      take(std::string_view(make()));
    }
  }
  template <typename Make>
  void made_if(bool known, Make &&make) {
    known ? made(make) : skip();
  }
  void value(Value value) {  // any other, or none
    if (wants()) take(std::move(value));
  }
  void none() { skip(); }

  // The same where it is known, and else none.
  void number_if(bool known, uint64_t n) { known ? number(n) : skip(); }
  void text_if(bool known, std::string_view t) { known ? text(t) : skip(); }
  void comm_if(bool known, const char (&name)[16]) { known ? comm(name) : skip(); }
  void words_if(bool known, uint64_t n, Words write) { known ? words(n, write) : skip(); }

 protected:
  void restart() { rest_ = wanted_; }

  virtual void take(uint64_t number) = 0;
  virtual void take(std::string_view text) = 0;
  virtual void take_comm(const char (&name)[16]) { take(std::string_view(name, strnlen(name, sizeof(name)))); }
  virtual void take(uint64_t number, Words write) = 0;
  virtual void take(Value value) = 0;
  virtual void take_none() { take(Value()); }

 private:
  [[nodiscard]] bool wants() {
    const bool wanted = this->wanted();
    rest_ >>= 1;
    return wanted;
  }
  void skip() {
    if (wants()) take_none();
  }

  uint64_t wanted_, rest_;
};

// All values of a row, for outputs that show every column.
class RowCells final : public Cells {
 public:
  explicit RowCells(size_t columns) : Cells(UINT64_MAX) { row_.reserve(columns); }
  [[nodiscard]] const Row &row() const { return row_; }

 private:
  void take(uint64_t number) override { row_.emplace_back(number); }
  void take(std::string_view text) override { row_.emplace_back(std::string(text)); }
  void take(uint64_t number, Words write) override {
    char text[kMostWords];
    row_.emplace_back(std::string(text, write(text, number)));
  }
  void take(Value value) override { row_.push_back(std::move(value)); }

  Row row_;
};

// None: whoever makes all values for what that does besides.
class NoCells final : public Cells {
 public:
  NoCells() : Cells(UINT64_MAX) {}

 private:
  void take(uint64_t) override {}
  void take(std::string_view) override {}
  void take(uint64_t, Words) override {}
  void take(Value) override {}
};

// What can be made into a row, again for each output.
class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual void give(Cells &cells) const = 0;
};

}  // namespace strata
