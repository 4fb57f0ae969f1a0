// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rec/record_line.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "base/text.h"

namespace strata {

// Everything but letters, digits and the marks of paths is %XX: a value has no space, whatever bytes came.
std::string escaped(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char c : text) {
    if (c > ' ' && c < 0x7f && c != '%') {
      out += static_cast<char>(c);
    } else {
      out += '%';
      out += kHex[c >> 4];
      out += kHex[c & 15];
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    unsigned char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) throw Error("a recording has a broken escape");
      const auto [end, err] = std::from_chars(text.data() + i + 1, text.data() + i + 3, c, 16);
      if (err != std::errc() || end != text.data() + i + 3) throw Error("a recording has a broken escape");
      i += 2;
    }
    out += static_cast<char>(c);
  }
  return out;
}

std::string_view next_word(std::string_view &line) {
  const size_t space = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, space);
  line.remove_prefix(std::min(space + 1, line.size()));
  return word;
}

namespace {

uint64_t load(const Field &field, const std::byte *at) {
  uint64_t value = 0;
  if (field.bytes == 8) {
    memcpy(&value, at, 8);
    return value;
  }
  uint32_t half = 0;
  memcpy(&half, at, 4);
  return (field.kind == Kind::kSigned) ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(half)}) : half;
}

std::string value_of(const Field &field, const std::byte *record, size_t size) {
  const std::byte *at = record + field.offset;
  if ((field.kind == Kind::kText)) {
    std::string_view text(reinterpret_cast<const char *>(at), std::min<size_t>(field.bytes, size - field.offset));
    text = text.substr(0, text.find_last_not_of('\0') + 1);
    return escaped(text);
  }
  const uint64_t value = load(field, at);
  if (value == 0) return "";
  return (field.kind == Kind::kSigned) ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

template <typename T>
T number_of(std::string_view text) {
  T value = 0;
  const auto [end, err] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (err != std::errc() || end != text.data() + text.size())
    throw Error("a recording has '" + printable(text) + "' where a number belongs");
  return value;
}

void store(const Field &field, std::string_view value, std::byte *record) {
  std::byte *at = record + field.offset;
  if ((field.kind == Kind::kText)) {
    const std::string text = unescaped(value);
    if (text.size() > field.bytes) throw Error("a recording has a '" + std::string(field.name) + "' that is too long");
    memset(at, 0, field.bytes);
    memcpy(at, text.data(), text.size());
    return;
  }
  const uint64_t number =
      (field.kind == Kind::kSigned) ? static_cast<uint64_t>(number_of<int64_t>(value)) : number_of<uint64_t>(value);
  if (field.bytes == 4 && number > UINT32_MAX && !(field.kind == Kind::kSigned))
    throw Error("a recording has a '" + std::string(field.name) + "' that is too large");
  memcpy(at, &number, field.bytes);
}

}  // namespace

std::string to_line(const RecordType &type, const void *record, size_t size) {
  std::string line(type.name);
  for (const Field &field : type.fields) {
    if (field.name.empty() || field.offset >= size) continue;
    const std::string value = value_of(field, static_cast<const std::byte *>(record), size);
    if (!value.empty()) line += " " + std::string(field.name) + "=" + value;
  }
  return line;
}

std::optional<Record> from_line(std::span<const RecordType *const> types, std::string_view line) {
  const std::string_view name = next_word(line);
  const auto type = std::find_if(types.begin(), types.end(), [&](const RecordType *one) { return one->name == name; });
  if (type == types.end()) return std::nullopt;
  Record record{.type = *type, .bytes = std::vector<std::byte>((*type)->size)};
  while (!line.empty()) {
    const std::string_view word = next_word(line);
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw Error("a recording has '" + printable(word) + "' where a field belongs");
    const std::span<const Field> fields = (*type)->fields;
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const Field &f) { return f.name == word.substr(0, equals); });
    if (field != fields.end()) store(*field, word.substr(equals + 1), record.bytes.data());
  }
  return record;
}

std::string schema_line(const RecordType &type) {
  std::string line(type.name);
  for (const Field &field : type.fields) {
    if (field.name.empty()) continue;
    const char *kind = field.kind == Kind::kText ? ":text" : field.kind == Kind::kSigned ? ":s" : ":u";
    line += " " + std::string(field.name) + kind +
            std::to_string(field.kind == Kind::kText ? field.bytes : field.bytes * 8);
  }
  return line;
}

}  // namespace strata
