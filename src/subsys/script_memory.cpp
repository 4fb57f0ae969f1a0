// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/script_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/format.h"
#include "base/text.h"

namespace strata {
namespace {

using TypeKind = expr::Type::Kind;
using Bytes = std::span<const std::byte>;

uint64_t number_of(const expr::Type &type, Bytes bytes) {
  uint64_t value = 0;
  const size_t size = std::min<size_t>({sizeof(value), bytes.size(), type.is(TypeKind::kPointer) ? 8 : type.size});
  if (size == 0) return 0;
  memcpy(&value, bytes.data(), size);
  const auto width = static_cast<uint32_t>(size * 8);
  const uint32_t from = std::min(type.bit_offset, width - 1);
  const uint32_t bits = type.bits == 0 ? width : std::min(type.bits, width - from);
  value <<= 64 - from - bits;
  return type.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value) >> (64 - bits)) : value >> (64 - bits);
}

// Those of an unnamed struct or union within are as those beside it.
void add_fields(Datum::Object &object, const expr::Record &record, Bytes bytes, const expr::Enums &enums) {
  for (const expr::Field &one : record.fields) {
    const Bytes rest = bytes.subspan(std::min<size_t>(one.offset, bytes.size()));
    if (!one.name.empty() && one.type.known()) object.add(one.name, data_of_memory(one.type, rest, enums));
    if (one.name.empty() && one.type.is(TypeKind::kRecord)) add_fields(object, *one.type.record, rest, enums);
  }
}

std::string string_of(Bytes bytes, size_t most) {
  const auto *from = reinterpret_cast<const char *>(bytes.data());
  return {from, strnlen(from, std::min(bytes.size(), most))};
}

}  // namespace

Datum data_of_memory(const expr::Type &type, Bytes bytes, const expr::Enums &enums) {
  if (type.is(TypeKind::kRecord)) {
    Datum::Object object;
    add_fields(object, *type.record, bytes, enums);
    return {std::move(object)};
  }
  if (type.is_char_array() || type.is(TypeKind::kString)) return {string_of(bytes, type.size)};
  if (type.is(TypeKind::kArray)) {
    Datum::List list;
    const size_t each = type.size / std::max<uint32_t>(type.count, 1);
    for (size_t i = 0; i < type.count && each > 0; i++)
      list.push_back(data_of_memory(*type.to, bytes.subspan(std::min(i * each, bytes.size())), enums));
    return {std::move(list)};
  }
  const uint64_t value = number_of(type, bytes);
  if (!type.is(TypeKind::kInt)) return {formatted("{:#x}", value)};
  if (type.is_bool) return {value != 0};
  if (const std::string *name = expr::enumerator(enums, type, value)) return {*name};
  if (type.is_signed) return {static_cast<int64_t>(value)};
  return {value};
}

std::string record_text(const std::vector<std::string> &names, const std::vector<std::string> &values) {
  std::string text = "{";
  for (size_t i = 0; i < names.size(); i++) text += (i == 0 ? " ." : ", .") + names[i] + " = " + values[i];
  return text + " }";
}

std::string text_of_datum(const Datum &datum) {
  const auto texts = [](const Datum::List &list) {
    std::vector<std::string> all;
    for (const Datum &one : list) all.push_back(text_of_datum(one));
    return all;
  };
  if (std::holds_alternative<std::monostate>(datum.held)) return "";
  if (const auto *text = std::get_if<std::string>(&datum.held)) return printable(*text);
  if (const auto *number = std::get_if<uint64_t>(&datum.held)) return std::to_string(*number);
  if (const auto *number = std::get_if<int64_t>(&datum.held)) return std::to_string(*number);
  if (const auto *yes = std::get_if<bool>(&datum.held)) return *yes ? "true" : "false";
  if (const auto *list = std::get_if<Datum::List>(&datum.held)) return "[" + join(texts(*list), ",") + "]";
  const auto &object = std::get<Datum::Object>(datum.held);
  return record_text(object.keys, texts(object.values));
}

}  // namespace strata
