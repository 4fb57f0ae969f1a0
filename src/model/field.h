// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The one description of a field of a record: where it lies, what a recording calls it, and, if it is shown, its
// column: text header, unit, width, JSON key and manual entry all come from here, so a tool never formats anything
// itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace strata {

class Resolver;   // run/resolver.h: names of numbers that mean something on one machine only
class RowWriter;  // model/row_writer.h

enum class Unit : uint8_t {
  kNone,    // as it is: text, counts, identifiers
  kNs,      // nanoseconds; text scales to ns, us, ms, s
  kBytes,   // bytes; text scales to KiB, MiB, ...
  kOffset,  // byte position in a file; never scaled
  kSector,  // 512-byte sectors; never scaled
  k32nds,   // of a second; text has ms
  kHex,     // flags and addresses
  kPercent,
  kStack,   // text, a function a line, the innermost first; below its row in text, an array in json
  kWords,   // words as shell_line() of base/shell.h takes them: quoted as for a shell; an array in json
  kWallNs,  // CLOCK_MONOTONIC nanoseconds of an event; text shows local time, json and csv ns since 1970
};

// How a field is stored: numbers have 4 or 8 bytes; text ends at a zero byte or with its array.
enum class Kind : uint8_t { kNone, kUnsigned, kSigned, kText };

// A record that is to be shown.
struct RecordView {
  const void *data;
  Resolver &resolver;
  const void *more = nullptr;  // what the tool's Transform made of several records (run/events.h)
  uint64_t stack = 0;          // its number, if events have stacks (run/event_stacks.h)
  uint64_t cgroup = 0;         // that of its process, where that was asked for (run/task_groups.h)
};

// Writes one value, or none, to the writer: what a computed column shows.
struct Field;
// What a column's values are in JSON; a text also as a list of its parts (kStack, kWords).
enum class Type : uint8_t { kAny, kInteger, kNumber, kText, kFlag };

struct Decode {
  enum class Of : uint8_t { kRecord, kStored, kNumber };  // what it reads: the record, or the stored value, or number
  void (*write)(const Field &field, const RecordView &record, RowWriter &out) = nullptr;
  Of of = Of::kRecord;
  Type type = Type::kAny;  // of what it writes, as far as the function's result tells
};

struct Field {
  // Stored, by STORED below; without a name it is computed.
  std::string_view name = {};  // in a recording; an API
  uint32_t offset = 0;         // in the record, bytes
  uint32_t bytes = 0;          // of a text at the end of a record its maximum: the record ends with the text
  Kind kind = Kind::kNone;
  bool optional = false;  // 0, or an empty text, is no value
  bool pointer = false;   // an address in the kernel: numbered before anybody sees the record (rec/pointers.h)
  Decode decode = {};     // COMPUTED of model/record.h; else the stored value is shown as it is

  // Shown as a column, if it has a key.
  std::string_view key = {};    // of JSON and CSV: snake_case, base unit in the name ("lat_ns"); an API
  std::string_view title = {};  // text header, upper case ("LATENCY")
  Unit unit = Unit::kNone;
  bool address = false;        // of IPv4 or IPv6, perhaps with a port: the long ones widen the column of text
  int width = 0;               // least text width in cells; negative aligns left; 0 takes what the value needs
  int whole = 0;               // what the longest value needs, where that is more: of a list on a wide terminal
  std::string_view help = {};  // one line for the manual's FIELDS section
  bool hidden = false;         // shown by --columns alone; JSON has it without, too
  bool adds_up = false;        // computed of counters such that rows add up, as what is shown as it was counted does
  std::string_view with = {};  // by default only with one of these options, "failed|exit", of the run also in a replay
  bool may_be_empty = false;   // an empty text is one: a program gave it (see is_absent())
  std::string_view if_empty = {};  // what text has where a histogram's key is empty: "(none)"
};

// Of a clock's hand: it has neither percentiles nor a greatest value.
constexpr bool goes_round(const Field &column) { return column.unit == Unit::k32nds; }

// Text alone has it: the other formats say of all rows of an interval from when to when that was.
constexpr bool is_end_of_interval(const Field &column) { return column.unit == Unit::kWallNs && column.key == "to_ns"; }

// The same, not shown without --columns.
constexpr Field hidden(Field column) {
  column.hidden = true;
  return column;
}

constexpr std::string_view last_member(std::string_view path) {  // "key.ends.local_port" -> "local_port"
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

template <typename Member>
constexpr Kind kind_of() {
  return std::is_array_v<Member> ? Kind::kText : std::is_signed_v<Member> ? Kind::kSigned : Kind::kUnsigned;
}

// The beginning of the Field of a member, which may be nested ("key.tgid"); the column may follow.
#define STORED_AS(field_name, type, member)                                                         \
  .name = field_name, .offset = offsetof(type, member), .bytes = sizeof(((type *)nullptr)->member), \
  .kind = ::strata::kind_of<std::remove_reference_t<decltype((((type *)nullptr)->member))>>()
#define STORED(type, member) STORED_AS(::strata::last_member(#member), type, member)

// A number whose text is made where it is shown, and nowhere else: the flags of a call, which most formats leave out.
struct LazyText {
  uint64_t number;
  std::string (*text)(uint64_t number);

  [[nodiscard]] std::string str() const { return text(number); }
  friend bool operator==(const LazyText &a, const LazyText &b) { return a.str() == b.str(); }
  friend bool operator<(const LazyText &a, const LazyText &b) { return a.str() < b.str(); }
};

using Value = std::variant<std::monostate, uint64_t, int64_t, double, bool, std::string, LazyText>;

inline bool is_text(const Value &value) {
  return std::holds_alternative<std::string>(value) || std::holds_alternative<LazyText>(value);
}

inline bool is_nothing(const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  return text != nullptr ? text->empty() : std::holds_alternative<std::monostate>(value);
}

// As --sort orders them: numbers greatest first, text from A to Z, and behind all of these what is nothing.
inline bool comes_first(const Value &a, const Value &b) {
  if (is_nothing(a) || is_nothing(b)) return !is_nothing(a);
  return is_text(a) || is_text(b) ? a < b : b < a;
}

// Of a function that makes text, or none, of whichever kind: so that its result says what the column's values are.
struct MaybeText : Value {
  using Value::Value;
  MaybeText(Value value) : Value(std::move(value)) {}
};

// What JSON has as null, and CSV as an empty cell: no value, and a text that is empty, which says that there is none or
// that it is not known. Words for that ("(none)") are for people, in `if_empty`: a program would have to know those of
// each column. Words that say more than that stay ("(device)", "(idle)"). Rejected: no value instead of the empty text
// from the tool on, which would take the key from a histogram (run/histogram.cpp).
inline bool is_absent(const Field &column, const Value &value) {
  return is_nothing(value) && !(is_text(value) && column.may_be_empty);
}

using Schema = std::span<const Field>;  // the columns of a view: fields that have a key
using Row = std::vector<Value>;         // one value per column of its Schema, in that order

// A value on its own with its description, for records whose set of columns varies (the hops of a sample).
struct NamedValue {
  const Field *column;
  Value value;
};

}  // namespace strata
