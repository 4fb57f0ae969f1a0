// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the values of a row go, one after the other: to a line of text, or to a Row.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "model/field.h"

namespace strata {

// Writes what a number stands for, in printable ASCII, at most kFormatterBytes bytes; returns the end. What it leaves
// behind its end, up to that most, are spaces.
inline constexpr size_t kFormatterBytes = 32;
using Formatter = char *(*)(char *out, uint64_t number);

class RowWriter {
 public:
  RowWriter() = default;
  RowWriter(const RowWriter &) = delete;
  RowWriter &operator=(const RowWriter &) = delete;
  virtual ~RowWriter() = default;

  virtual void number(uint64_t number) = 0;
  virtual void text(std::string_view untrusted) = 0;  // it must live until this returns
  virtual void comm(const char (&name)[16]) { text({name, strnlen(name, sizeof(name))}); }  // the kernel's: with zeros
  virtual void formatted(uint64_t number, Formatter format) = 0;
  virtual void value(Value value) = 0;  // any other, or none
  virtual void none() = 0;
};

class RowMaker final : public RowWriter {
 public:
  explicit RowMaker(size_t columns) { row_.reserve(columns); }
  [[nodiscard]] Row &row() { return row_; }

  void number(uint64_t number) override { row_.emplace_back(number); }
  void text(std::string_view text) override { row_.emplace_back(std::string(text)); }
  void formatted(uint64_t number, Formatter format) override {
    char text[kFormatterBytes];
    row_.emplace_back(std::string(text, format(text, number)));
  }
  void value(Value value) override { row_.push_back(std::move(value)); }
  void none() override { row_.emplace_back(); }

 private:
  Row row_;
};

// For whoever makes all values for what that does besides.
class NullWriter final : public RowWriter {
 public:
  void number(uint64_t) override {}
  void text(std::string_view) override {}
  void formatted(uint64_t, Formatter) override {}
  void value(Value) override {}
  void none() override {}
};

}  // namespace strata
