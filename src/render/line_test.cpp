#include "render/line.h"

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

// The line as padded() would make it, value by value.
std::string slowly(std::span<const size_t> shown, const Row &row) {
  std::string line;
  for (size_t n = 0; n < shown.size(); n++) {
    const Field &column = kColumns[shown[n]];
    const std::string text = value_text(column, row[shown[n]], {});
    const bool last = n + 1 == shown.size();
    line += (last && column.width <= 0 ? text : padded(text, column.width)) + (last ? "\n" : " ");
  }
  return line;
}

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
    for (size_t i = 0; i < 10'000; i++) {
      const Row row = {values[i % 10], values[i / 10 % 10], values[i / 100 % 10], values[i / 1000]};
      line.begin();
      for (const size_t column : shown) line.add(row[column]);
      if (line.end() != slowly(shown, row)) FAIL(i);
      line.begin();
      for (const size_t column : shown) write(row[column], line);
      if (line.end() != slowly(shown, row)) FAIL(i);
    }
  }
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
    CHECK(line.end() == padded(chars(name), -6) + "    333 55555\n");
  }
  char full[16];
  memset(full, 'y', sizeof(full));
  TextLine line(kColumns, shown, clocks);
  line.begin();
  static_cast<RowWriter &>(line).comm(full);
  static_cast<RowWriter &>(line).none();
  static_cast<RowWriter &>(line).none();
  CHECK(line.end() == "yyyyyyyyyyyyyyyy        \n");
}

}  // namespace strata
