// The one description of a value that strata prints: text header, unit, width, JSON key and manual entry all come
// from a Column, so a tool never formats anything itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strata {

enum class Unit : uint8_t {
  kNone,    // as it is: text, counts, identifiers
  kNs,      // nanoseconds; text scales to ns, us, ms, s
  kBytes,   // bytes; text scales to KiB, MiB, ...
  kOffset,  // byte position in a file; never scaled
  kSector,  // 512-byte sectors; never scaled
  kHex,     // flags and addresses
  kPercent,
  kStack,   // text, a function a line, the innermost first; below its row in text, an array in json
  kWallNs,  // CLOCK_MONOTONIC nanoseconds of an event; text shows local time, json and csv ns since 1970
};

struct Column {
  std::string_view key;    // JSON and CSV key: snake_case, base unit in the name ("lat_ns"); an API
  std::string_view title;  // text header, upper case ("LATENCY")
  Unit unit = Unit::kNone;
  int width = 0;               // least text width in cells; negative aligns left; 0 takes what the value needs
  std::string_view help;       // one line for the manual's FIELDS section
  bool by_default = true;      // shown without --columns; JSON always has every column
  std::string_view with = {};  // by default only with one of these options, "failed|exit"; in a replay always
};

// The same, not shown without --columns.
constexpr Column if_asked(Column column) {
  column.by_default = false;
  return column;
}

// A number whose text is made where it is shown, and nowhere else: the flags of a call, which most formats leave out.
struct Code {
  uint64_t number;
  std::string (*text)(uint64_t number);

  [[nodiscard]] std::string str() const { return text(number); }
  friend bool operator==(const Code &a, const Code &b) { return a.str() == b.str(); }
  friend bool operator<(const Code &a, const Code &b) { return a.str() < b.str(); }
};

using Value = std::variant<std::monostate, uint64_t, int64_t, double, bool, std::string, Code>;
using Schema = std::span<const Column>;
using Row = std::vector<Value>;  // one value per column of its Schema, in that order

// A value on its own with its description, for records whose set of columns varies (the hops of a sample).
struct Field {
  const Column *column;
  Value value;
};

}  // namespace strata
