// A wire record as a line of text and back: "hop ts_ns=812 id=1 comm=dd". A recording is such lines, so the golden
// tests are recordings that a person can read and write. Fields that are zero are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

struct WireField {
  std::string_view name;
  size_t offset;
  size_t bytes;  // 4 or 8 for a number; the size of the array for text, of which the last in a record may be cut
  bool text = false;
  bool is_signed = false;
};

// One type of record; the fields cover all of it.
struct Wire {
  std::string_view name;
  size_t size;
  std::span<const WireField> fields;
};

// Without the newline. The record has `size` bytes: less than wire.size only where its last text ends early.
std::string to_line(const Wire &wire, const void *record, size_t size);

struct WireRecord {
  const Wire *wire;
  std::vector<std::byte> bytes;
};
WireRecord from_line(std::span<const Wire *const> wires, std::string_view line);  // throws Error

#define WIRE_NUMBER(type, field) \
  { #field, offsetof(type, field), sizeof(type::field), false, std::is_signed_v < decltype(type::field)> }
// A struct path_names.
#define WIRE_PATH(type, field)                                                     \
  {#field "_bytes", offsetof(type, field.bytes), sizeof(type::field.bytes)},       \
      {#field "_whole", offsetof(type, field.whole), sizeof(type::field.whole)}, { \
#field, offsetof(type, field.names), sizeof(type::field.names), true           \
  }
#define WIRE_TEXT(type, field) \
  { #field, offsetof(type, field), sizeof(type::field), true, false }

}  // namespace strata
