// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A type of record: what both sides of a tool share, as a table of fields. Columns, the schema of a recording and the
// decoder are all read from it.
//
//   constexpr Field kFields[] = {
//       {STORED(open_event, ts_ns), .key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, ...},
//       {COMPUTED([](const open_event &e) { return if_known(e.result >= 0, e.result); }),
//        .key = "fd", .title = "FD", .width = 4, .help = "the new descriptor"},
//       {STORED(open_event, result)}};                       // recorded, not shown
//   constexpr RecordType kOpen = record_type<open_event>("open", kFields);
//
// The order is that of the columns. A table that does not describe the whole record does not compile.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "model/field.h"
#include "model/packet.h"
#include "model/row_writer.h"
#include "model/vocabulary.h"

namespace strata {

// What a record is about: itself; all that follows it in a recording, as a name; the record that comes next.
enum class About : uint8_t { kItself, kAllThatFollows, kNext };

struct RecordType {
  std::string_view name;  // of a line of a recording; an API
  size_t size = 0;
  size_t min_size = 0;  // a record may end within its last field, if that is text
  std::span<const Field> fields = {};
  bool has_pointers = false;
  About about = About::kItself;
  Packet (*packet)(const void *record) = nullptr;  // of a record that is one
};

// --- tables that are wrong do not compile: each `throw` is an error that names the mistake

constexpr void check_field(const Field &field) {
  if (field.name.empty() && field.key.empty()) throw "a field is neither stored nor shown";
  if (!field.name.empty() && field.kind != Kind::kText && field.bytes != 4 && field.bytes != 8)
    throw "a stored number has 4 or 8 bytes";
  if (field.pointer && (field.kind != Kind::kUnsigned || field.bytes != 8)) throw "a pointer has 8 bytes, unsigned";
  if (!field.key.empty() && field.title.empty()) throw "a column has no title";
  if (!field.key.empty() && field.help.empty()) throw "a column has no help";
  if (!field.key.empty() && field.name.empty() && field.decode.write == nullptr) throw "nothing computes a column";
  if (field.decode.of != Decode::Of::kRecord && field.kind == Kind::kNone)
    throw "a column of a stored value stores none";
  if (field.decode.of == Decode::Of::kNumber && field.kind == Kind::kText) throw "a column of a number stores a text";
  if (const Word *word = word_of(field.key); word != nullptr && word->unit != field.unit)
    throw "a column has a key of the vocabulary, in another unit";
  if (field.key.empty() && (!field.title.empty() || field.decode.write != nullptr)) throw "a column has no key";
}

// "path" and "path_bytes", or "inode" and "inode_digits": JSON has the latter where the former does not show all.
constexpr bool are_key_and_whole(std::string_view key, std::string_view other) {
  if (key.empty() || !other.starts_with(key)) return false;
  const std::string_view suffix = other.substr(key.size());
  return suffix == "_bytes" || suffix == "_digits";
}

constexpr void check_names(std::span<const Field> fields) {
  for (size_t i = 0; i < fields.size(); i++) {
    for (size_t j = 0; j < i; j++) {
      if (!fields[i].name.empty() && fields[i].name == fields[j].name) throw "two fields have one name";
      if (!fields[i].key.empty() && fields[i].key == fields[j].key) throw "two columns have one key";
      if (are_key_and_whole(fields[i].key, fields[j].key) || are_key_and_whole(fields[j].key, fields[i].key))
        throw "JSON has this key for what another column does not show";
    }
  }
}

// Every byte belongs to one field: from the beginning on, each is followed by another until the end.
constexpr void check_covers(std::span<const Field> fields, size_t size) {
  size_t stored = 0, total = 0;
  for (const Field &field : fields) {
    if (field.name.empty()) continue;
    stored++;
    total += field.bytes;
    size_t next = size;
    for (const Field &other : fields) {
      if (other.name.empty() || &other == &field) continue;
      if (other.offset >= field.offset && other.offset < field.offset + field.bytes) throw "two fields overlap";
      if (other.offset > field.offset) next = std::min<size_t>(next, other.offset);
    }
    if (field.offset + field.bytes != next) throw "a member of the record is missing in its table, or too large";
  }
  if (stored != 0 && total != size) throw "the table does not cover the record";
}

// The last field, if it is text, may end early.
constexpr size_t min_size_of(std::span<const Field> fields, size_t size) {
  for (const Field &field : fields)
    if (field.kind == Kind::kText && field.offset + field.bytes == size) return field.offset + 1;
  return size;
}

// Of a type that describes only what is recorded of a larger one.
template <typename Record>
consteval RecordType partial_record_type(std::string_view name, std::span<const Field> fields) {
  for (const Field &field : fields) check_field(field);
  check_names(fields);
  return {.name = name,
          .size = sizeof(Record),
          .min_size = min_size_of(fields, sizeof(Record)),
          .fields = fields,
          .has_pointers = std::any_of(fields.begin(), fields.end(), [](const Field &field) { return field.pointer; })};
}

template <typename Record>
consteval RecordType record_type(std::string_view name, std::span<const Field> fields) {
  check_covers(fields, sizeof(Record));
  return partial_record_type<Record>(name, fields);
}

constexpr RecordType about(About what, RecordType type) {
  type.about = what;
  return type;
}

template <auto kFunction, typename Record>
constexpr auto packet_function(Packet (*)(const Record &)) {
  return +[](const void *record) { return kFunction(*static_cast<const Record *>(record)); };
}
// `kFunction`: Packet (const Record &)
template <auto kFunction>
constexpr RecordType packets_of(RecordType type) {
  type.packet = packet_function<kFunction>(+kFunction);
  return type;
}

// --- what a computed column shows

// What a function of a column may return besides numbers, texts and a Value: a number in the words of `format`.
struct Formatted {
  uint64_t number;
  Formatter format;
};

template <typename T>
constexpr std::optional<T> if_known(bool known, T value) {
  return known ? std::optional<T>(std::move(value)) : std::nullopt;
}

template <typename Result>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename Result>
void write_result(RowWriter &out, Result &&result) {
  using T = std::remove_cvref_t<Result>;
  if constexpr (kIsOptional<T>) {
    result ? write_result(out, *std::forward<Result>(result)) : out.none();
  } else if constexpr (std::is_same_v<T, Formatted>) {
    out.formatted(result.number, result.format);
  } else if constexpr (std::unsigned_integral<T> && !std::is_same_v<T, bool>) {
    out.number(result);
  } else if constexpr (std::signed_integral<T>) {
    out.value(int64_t{result});
  } else if constexpr (std::is_convertible_v<Result, std::string_view>) {
    out.text(result);
  } else {
    out.value(Value(std::forward<Result>(result)));
  }
}

// A number of a record.
template <typename Number>
Number load_at(const void *record, size_t offset) {
  Number number;
  memcpy(&number, static_cast<const std::byte *>(record) + offset, sizeof(number));
  return number;
}

// The stored number of a column, of 4 or 8 bytes.
template <std::integral Number>
Number stored_number(const Field &field, const RecordView &view) {
  if (field.bytes == 8) return static_cast<Number>(load_at<uint64_t>(view.data, field.offset));
  if (field.kind == Kind::kSigned) return static_cast<Number>(load_at<int32_t>(view.data, field.offset));
  return static_cast<Number>(load_at<uint32_t>(view.data, field.offset));
}

// The stored value as it is.
template <typename Writer>
void write_stored(const Field &field, const RecordView &record, Writer &out) {
  if (field.kind == Kind::kUnsigned) {
    const uint64_t number =
        field.bytes == 8 ? load_at<uint64_t>(record.data, field.offset) : load_at<uint32_t>(record.data, field.offset);
    return field.optional && number == 0 ? out.none() : out.number(number);
  }
  if (field.kind == Kind::kText) {
    const char *text = static_cast<const char *>(record.data) + field.offset;
    if (field.optional && *text == '\0') return out.none();
    if (field.bytes == 16) return out.comm(*reinterpret_cast<const char(*)[16]>(text));
    return out.text({text, strnlen(text, field.bytes)});
  }
  const int64_t number =
      field.bytes == 8 ? load_at<int64_t>(record.data, field.offset) : load_at<int32_t>(record.data, field.offset);
  return field.optional && number == 0 ? out.none() : out.value(number);
}

// Of a function without captures, whose parameters say what it reads: the record or, if that is all it needs, the
// stored number, of which an optional 0 stays no value. It returns the value, or writes one.
template <auto kFunction, typename Result, typename Record>
constexpr Decode decode_as(Result (*)(const Record &)) {
  return {.write = [](const Field &, const RecordView &view, RowWriter &out) {
    write_result(out, kFunction(*static_cast<const Record *>(view.data)));
  }};
}
template <auto kFunction, typename Result, typename Record>
constexpr Decode decode_as(Result (*)(const Record &, Resolver &)) {
  return {.write = [](const Field &, const RecordView &view, RowWriter &out) {
    write_result(out, kFunction(*static_cast<const Record *>(view.data), view.resolver));
  }};
}
template <auto kFunction, typename Result, typename Record, typename More>
constexpr Decode decode_as(Result (*)(const Record &, const More *)) {  // what a Transform made of several records
  return {.write = [](const Field &, const RecordView &view, RowWriter &out) {
    write_result(out, kFunction(*static_cast<const Record *>(view.data), static_cast<const More *>(view.more)));
  }};
}
template <auto kFunction, typename Record>
constexpr Decode decode_as(void (*)(const Record &, RowWriter &)) {
  return {.write = [](const Field &, const RecordView &view, RowWriter &out) {
    kFunction(*static_cast<const Record *>(view.data), out);
  }};
}
template <auto kFunction, typename Result, std::integral Number>
constexpr Decode decode_as(Result (*)(Number)) {
  return {.write =
              [](const Field &field, const RecordView &view, RowWriter &out) {
                const auto number = stored_number<Number>(field, view);
                if (field.optional && number == 0) return out.none();
                write_result(out, kFunction(number));
              },
          .of = Decode::Of::kNumber};
}
template <auto kFunction, typename Result, std::integral Number>
constexpr Decode decode_as(Result (*)(Number, Resolver &)) {
  return {.write =
              [](const Field &field, const RecordView &view, RowWriter &out) {
                const auto number = stored_number<Number>(field, view);
                if (field.optional && number == 0) return out.none();
                write_result(out, kFunction(number, view.resolver));
              },
          .of = Decode::Of::kNumber};
}
template <auto kFunction>
constexpr Decode decode_as(Formatter) {
  return {.write =
              [](const Field &field, const RecordView &view, RowWriter &out) {
                const auto number = stored_number<uint64_t>(field, view);
                if (field.optional && number == 0) return out.none();
                out.formatted(number, kFunction);
              },
          .of = Decode::Of::kNumber};
}
template <auto kFunction>
constexpr Decode decode_as(void (*)(const Field &, const RecordView &, RowWriter &)) {
  return {.write = kFunction};
}

// What a column shows: COMPUTED(open_flags), or a lambda. It goes behind STORED, or where that would stand.

// A function that writes to a RowWriter writes text, or nothing.
template <typename Result, typename... Arguments>
constexpr Type type_of_result(Result (*)(Arguments...)) {
  if constexpr (std::is_void_v<Result>) {
    return Type::kText;
  } else if constexpr (kIsOptional<Result>) {
    return type_of_result(static_cast<typename Result::value_type (*)()>(nullptr));
  } else if constexpr (std::is_same_v<Result, bool>) {
    return Type::kFlag;
  } else if constexpr (std::integral<Result>) {
    return Type::kInteger;
  } else if constexpr (std::floating_point<Result>) {
    return Type::kNumber;
  } else {
    return std::is_same_v<Result, Value> ? Type::kAny : Type::kText;  // text of whichever kind
  }
}

constexpr Decode typed(Decode decode, Type type) {
  decode.type = type;
  return decode;
}

template <auto kFunction>
constexpr Decode kDecode = typed(decode_as<kFunction>(+kFunction), type_of_result(+kFunction));
#define COMPUTED(...) .decode = ::strata::kDecode<(__VA_ARGS__)>

// The stored value as it is where a function of the record says so: {STORED(...), SHOWN_IF(has_sender), ...}.
template <auto kPredicate, typename Result, typename Record>
constexpr Decode shown_if(Result (*)(const Record &)) {
  return {.write =
              [](const Field &field, const RecordView &view, RowWriter &out) {
                kPredicate(*static_cast<const Record *>(view.data)) ? write_stored(field, view, out) : out.none();
              },
          .of = Decode::Of::kStored};
}
template <auto kPredicate>
constexpr Decode kShownIf = shown_if<kPredicate>(+kPredicate);
#define SHOWN_IF(...) .decode = ::strata::kShownIf<(__VA_ARGS__)>

// Of the first column of a distribution, which describes its values: they come from the slots. In the rows of another
// view there are none.
inline void slot_values(const Field &, const RecordView &, RowWriter &out) { out.none(); }

// --- a record's values

// The value of a column. `Writer` is a RowWriter, or better a final one, whose functions are then called directly.
template <typename Writer>
void write_column(const Field &field, const RecordView &record, Writer &out) {
  if (field.decode.write != nullptr) return field.decode.write(field, record, out);
  write_stored(field, record, out);
}

// Where the function of a column does not tell, its unit may.
constexpr Type type_of(const Field &column) {
  const bool computed = column.decode.write != nullptr && column.decode.of != Decode::Of::kStored;
  if (!computed && column.kind != Kind::kNone) return column.kind == Kind::kText ? Type::kText : Type::kInteger;
  if (column.unit == Unit::kNs || column.unit == Unit::kBytes) return Type::kInteger;
  if (column.unit == Unit::kPercent) return Type::kNumber;
  if (column.decode.write == slot_values) return Type::kAny;
  return column.decode.type;
}

inline std::vector<Field> columns_of(std::span<const Field> fields) {
  std::vector<Field> columns;
  std::copy_if(fields.begin(), fields.end(), std::back_inserter(columns), [](auto &f) { return !f.key.empty(); });
  return columns;
}

inline Row row_of(Schema columns, const RecordView &record) {
  RowMaker maker(columns.size());
  for (const Field &column : columns) write_column<RowWriter>(column, record, maker);
  return std::move(maker.row());
}

}  // namespace strata
