#include "rec/wire.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "base/text.h"

namespace strata {
namespace {

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

uint64_t load(const WireField &field, const std::byte *at) {
  uint64_t value = 0;
  if (field.bytes == 8) {
    memcpy(&value, at, 8);
    return value;
  }
  uint32_t half = 0;
  memcpy(&half, at, 4);
  return field.is_signed ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(half)}) : half;
}

std::string value_of(const WireField &field, const std::byte *record, size_t size) {
  const std::byte *at = record + field.offset;
  if (field.text) {
    std::string_view text(reinterpret_cast<const char *>(at), std::min(field.bytes, size - field.offset));
    text = text.substr(0, text.find_last_not_of('\0') + 1);
    return escaped(text);
  }
  const uint64_t value = load(field, at);
  if (value == 0) return "";
  return field.is_signed ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

template <typename T>
T number_of(std::string_view text) {
  T value = 0;
  const auto [end, err] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (err != std::errc() || end != text.data() + text.size())
    throw Error("a recording has '" + printable(text) + "' where a number belongs");
  return value;
}

void store(const WireField &field, std::string_view value, std::byte *record) {
  std::byte *at = record + field.offset;
  if (field.text) {
    const std::string text = unescaped(value);
    if (text.size() > field.bytes) throw Error("a recording has a '" + std::string(field.name) + "' that is too long");
    memset(at, 0, field.bytes);
    memcpy(at, text.data(), text.size());
    return;
  }
  const uint64_t number =
      field.is_signed ? static_cast<uint64_t>(number_of<int64_t>(value)) : number_of<uint64_t>(value);
  if (field.bytes == 4 && number > UINT32_MAX && !field.is_signed)
    throw Error("a recording has a '" + std::string(field.name) + "' that is too large");
  memcpy(at, &number, field.bytes);
}

std::string_view next_word(std::string_view &line) {
  const size_t space = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, space);
  line.remove_prefix(std::min(space + 1, line.size()));
  return word;
}

}  // namespace

std::string to_line(const Wire &wire, const void *record, size_t size) {
  std::string line(wire.name);
  for (const WireField &field : wire.fields) {
    if (field.offset >= size) continue;
    const std::string value = value_of(field, static_cast<const std::byte *>(record), size);
    if (!value.empty()) line += " " + std::string(field.name) + "=" + value;
  }
  return line;
}

WireRecord from_line(std::span<const Wire *const> wires, std::string_view line) {
  const std::string_view name = next_word(line);
  const auto wire = std::find_if(wires.begin(), wires.end(), [&](const Wire *w) { return w->name == name; });
  if (wire == wires.end()) throw Error("a recording has a record '" + printable(name) + "' that is not known here");
  WireRecord record{.wire = *wire, .bytes = std::vector<std::byte>((*wire)->size)};
  while (!line.empty()) {
    const std::string_view word = next_word(line);
    const size_t equals = word.find('=');
    const auto field = std::find_if((*wire)->fields.begin(), (*wire)->fields.end(),
                                    [&](const WireField &f) { return f.name == word.substr(0, equals); });
    if (equals == std::string_view::npos || field == (*wire)->fields.end())
      throw Error("a recording has a field '" + printable(word) + "' that is not known here");
    store(*field, word.substr(equals + 1), record.bytes.data());
  }
  return record;
}

}  // namespace strata
