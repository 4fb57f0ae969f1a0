// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/line.h"

#include <algorithm>

#include "base/test.h"
#include "base/text.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr Field kLeft = {.key = "left", .title = "LEFT", .width = -6};
constexpr Field kRight = {.key = "right", .title = "RIGHT", .width = 6};
constexpr Field kTime = {.key = "time_ns", .title = "TIME", .unit = Unit::kNs, .width = 7};
constexpr Field kFree = {.key = "free", .title = "FREE"};
constexpr Field kColumns[] = {kLeft, kRight, kTime, kFree};

char *write_word(char *out, uint64_t number) {
  memset(out, '0' + static_cast<int>(number), number);
  return out + number;
}

// The lines as padded() would make them, value by value: one that is too long takes spaces of those behind it, and
// widens its column if that is not enough.
class SlowLine {
 public:
  std::string of(std::span<const size_t> shown, const Row &row) {
    std::string line;
    size_t owed = 0;
    int used[4] = {};
    for (size_t n = 0; n < shown.size(); n++) {
      const Field &column = kColumns[shown[n]];
      const int width = widths_[shown[n]];
      const std::string text = value_text(column, row[shown[n]], {});
      const bool last = n + 1 == shown.size();
      const size_t spaces = cells(text) < static_cast<size_t>(width) ? static_cast<size_t>(width) - cells(text) : 0;
      const bool fills = column.width > 0 || !last;
      const size_t given = fills ? std::min(spaces, owed) : 0;
      owed -= given;
      const std::string filling(fills ? spaces - given : 0, ' ');
      line += (column.width > 0 ? filling + text : text + filling) + (last ? "\n" : " ");
      if ((last && column.width <= 0) || cells(text) <= static_cast<size_t>(width)) continue;
      owed += cells(text) - static_cast<size_t>(width);
      if (cells(text) <= 16) used[shown[n]] = static_cast<int>(cells(text));
    }
    for (size_t i = 0; i < 4 && owed > 0; i++) widths_[i] = std::max(widths_[i], used[i]);
    return line;
  }

 private:
  int widths_[4] = {6, 6, 7, 4};  // or of the title
};

// As a decoder writes it.
void write(const Value &value, RowWriter &out) {
  if (const auto *number = std::get_if<uint64_t>(&value)) return out.number(*number);
  if (const auto *text = std::get_if<std::string>(&value)) return out.text(*text);
  out.value(value);
}

}  // namespace

TEST_CASE("a line is the same whichever way its values came, in any order") {
  const Clocks clocks;
  const Value values[] = {{},
                          uint64_t{0},
                          uint64_t{98765},
                          UINT64_MAX,
                          std::string("a"),
                          std::string(300, 'x'),
                          std::string("gr\xc3\xbc\xc3\x9f\n"),
                          true,
                          int64_t{-5},
                          std::string("exact.")};
  const std::vector<std::vector<size_t>> orders = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1}, {0, 0}, {2, 3}, {0, 2}};
  for (const std::vector<size_t> &shown : orders) {
    TextLine line(kColumns, shown, clocks);
    SlowLine slow;
    for (size_t i = 0; i < 10'000; i++) {
      const Row row = {values[i % 10], values[i / 10 % 10], values[i / 100 % 10], values[i / 1000]};
      line.begin();
      for (const size_t column : shown) line.add(row[column]);
      const std::string wanted = slow.of(shown, row);
      if (line.end() != wanted) FAIL(i);
      line.begin();
      for (const size_t column : shown) write(row[column], line);
      if (line.end() != slow.of(shown, row)) FAIL(i);
    }
  }
}

TEST_CASE("an address widens its column for the lines that follow, in a table any value; a long text does not") {
  constexpr Field kEnds[] = {{.key = "end", .title = "END", .address = true, .width = -9}, kLeft, kFree};
  const size_t shown[] = {0, 1, 2};
  const Clocks clocks;
  const std::string name(40, 'n'), address = "[2001:db8::9]:443";
  for (const bool of_table : {false, true}) {
    TextLine line(kEnds, shown, clocks, of_table);
    const auto of = [&line](const std::string &end, const std::string &left) {
      line.begin();
      for (const std::string &text : {end, left, std::string("x")}) line.add(text);
      return std::string(line.end());
    };
    CHECK(of("1.2.3.4:5", "a") == "1.2.3.4:5 a      x\n");
    CHECK(of(address, name) == address + " " + name + " x\n");
    CHECK(of("1.2.3.4:5", "a") == "1.2.3.4:5         a" + std::string(of_table ? 40 : 6, ' ') + "x\n");
    CHECK(of(std::string(60, 'f'), "a").starts_with(std::string(60, 'f') + " a "));
    CHECK(of("1.2.3.4:5", "a").starts_with("1.2.3.4:5         a "));
  }
}

TEST_CASE("what is too long takes the spaces of the values behind it: the rest of the line stays in its columns") {
  const size_t shown[] = {0, 1, 3};
  const Clocks clocks;
  TextLine line(kColumns, shown, clocks);
  const auto of = [&line](const std::string &left, uint64_t right) {
    line.begin();
    line.add(left);
    line.add(right);
    line.add(std::string("x"));
    return std::string(line.end());
  };
  CHECK(of("a", 1) == "a           1 x\n");
  CHECK(of("12345678901", 1) == "12345678901 1 x\n");  // five spaces are all that there are
  CHECK(of("a", 1) == "a           1 x\n");
  CHECK(of("12345678901", 12) == "12345678901 12 x\n");  // one too few
  CHECK(of("a", 1) == "a                1 x\n");
}

TEST_CASE("on a wide terminal a list has whole names, numbers of tasks and addresses, in this order") {
  constexpr Field kWide[] = {{.key = "reader", .title = "PID", .width = 6, .whole = 7},
                             {.key = "end", .title = "END", .address = true, .width = -21},
                             {.key = "name", .title = "COMM", .width = -10, .whole = 15},
                             {.key = "file", .title = "FILE"}};
  const size_t shown[] = {0, 1, 2, 3};
  const Clocks clocks;
  const auto at = [&](size_t columns, bool of_table = false) {
    TextLine line(kWide, shown, clocks, of_table, columns);
    line.begin();
    for (const char *text : {"", "e", "c", "f"}) line.add(std::string(text));
    const std::string text(line.end());
    return std::vector<size_t>{text.find('e'), text.find('c'), text.find('f')};
  };
  CHECK(at(80) == std::vector<size_t>{7, 29, 40});   // the file has 40
  CHECK(at(86) == std::vector<size_t>{8, 30, 46});   // whole numbers and names
  CHECK(at(111) == std::vector<size_t>{8, 30, 46});  // one too few
  CHECK(at(112) == std::vector<size_t>{8, 56, 72});  // whole addresses
  CHECK(at(200, true) == std::vector<size_t>{7, 29, 40});
}

TEST_CASE("words and names of tasks fill their columns") {
  const Clocks clocks;
  const size_t shown[] = {0, 1, 3};
  const char names[][16] = {"", "a", "sevensx", "eightsxx", "fourteen_bytes", "fifteen__bytes_", "a\0b"};
  for (const auto &name : names) {
    TextLine line(kColumns, shown, clocks);
    line.begin();
    RowWriter &out = line;
    out.comm(name);
    out.formatted(3, write_word);
    out.formatted(5, write_word);
    const size_t more = cells(chars(name)) > 6 ? cells(chars(name)) - 6 : 0;
    CHECK(line.end() ==
          padded(chars(name), -6) + " " + std::string(3 - std::min<size_t>(more, 3), ' ') + "333 55555\n");
  }
  char full[16];
  memset(full, 'y', sizeof(full));
  TextLine line(kColumns, shown, clocks);
  line.begin();
  static_cast<RowWriter &>(line).comm(full);
  static_cast<RowWriter &>(line).none();
  static_cast<RowWriter &>(line).none();
  CHECK(line.end() == "yyyyyyyyyyyyyyyy  \n");  // of the six spaces of the number behind it
}

}  // namespace strata
