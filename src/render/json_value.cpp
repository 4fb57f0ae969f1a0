// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "render/json_value.h"

#include <utility>

#include "base/format.h"
#include "base/text.h"
#include "base/utf8.h"

namespace strata {
namespace {

// As the library does it with ensure_ascii, which would take the letters of most languages, too.
void append_escape(std::string &out, uint32_t code_point) {
  if (code_point > 0xffff) {
    append_escape(out, 0xd7c0 + (code_point >> 10));
    code_point = 0xdc00 + (code_point & 0x3ff);
  }
  out += formatted("\\u{:04x}", code_point);
}

constexpr int64_t kMostExact = int64_t{1} << 53;  // each integer up to it is a double

}  // namespace

Whole whole(const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  if (text && plain_prefix(*text) != text->size() && !is_utf8(*text)) return {"_bytes", base64(*text)};
  const auto *number = std::get_if<uint64_t>(&value);
  if (number && std::cmp_greater(*number, kMostExact)) return {"_digits", std::to_string(*number)};
  const auto *integer = std::get_if<int64_t>(&value);
  if (integer && (*integer > kMostExact || *integer < -kMostExact)) return {"_digits", std::to_string(*integer)};
  return {};
}

Json to_json(const Datum &datum) {
  return std::visit(
      [](const auto &held) -> Json {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, Datum::List>) {
          Json list = Json::array();
          for (const Datum &one : held) list.push_back(to_json(one));
          return list;
        } else if constexpr (std::is_same_v<Held, Datum::Object>) {
          Json object = Json::object();
          for (size_t i = 0; i < held.keys.size(); i++) object[held.keys[i]] = to_json(held.values[i]);
          return object;
        } else if constexpr (std::is_same_v<Held, std::monostate>) {
          return nullptr;
        } else {
          return Json(held);
        }
      },
      datum.held);
}

void put_field(Json &object, std::string_view key, const Value &value) {
  object[std::string(key)] = to_json(value);
  if (Whole all = whole(value); !all.suffix.empty()) object[std::string(key).append(all.suffix)] = std::move(all.text);
}

void put_field(Json &object, std::string_view key, const Datum &datum) {
  std::visit(
      [&](const auto &held) {
        if constexpr (std::is_constructible_v<Value, decltype(held)>)
          put_field(object, key, Value(held));
        else
          object[std::string(key)] = to_json(datum);
      },
      datum.held);
}

void put_fields(Json &object, const std::vector<NamedValue> &fields) {
  for (const NamedValue &field : fields)
    put_field(object, field.column->key, is_absent(*field.column, field.value) ? Value() : field.value);
}

// What is not ASCII, or is DEL, is in a string.
std::string dump(const Json &json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t plain = plain_prefix(rest);
    out.append(rest.substr(0, plain));
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    const Character first = first_character(rest);
    if (is_hidden(first.code_point)) {
      append_escape(out, first.code_point);
    } else {
      out.append(rest.substr(0, first.length));
    }
    rest.remove_prefix(first.length);
  }
  return out;
}

}  // namespace strata
