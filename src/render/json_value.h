// The JSON library, and our values in it. Included only by the few .cpp files that write JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/utf8.h"
#include "model/field.h"
#include "render/sink.h"

namespace strata {

using Json = nlohmann::ordered_json;

inline Json to_json(const Value &value) {
  return std::visit(
      [](const auto &held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return Json(nullptr);
        } else if constexpr (std::is_same_v<std::decay_t<decltype(held)>, LazyText>) {
          return Json(held.str());
        } else {
          return Json(held);
        }
      },
      value);
}

// What dump() cannot show of a text that is not UTF-8, in base64: the value of KEY_bytes, which stands behind its KEY.
inline std::optional<std::string> bytes_of(const Value &value) {
  const auto *text = std::get_if<std::string>(&value);
  const bool shown = !text || plain_prefix(*text) == text->size() || is_utf8(*text);
  return shown ? std::nullopt : std::optional(base64(*text));
}

inline void put_field(Json &object, std::string_view key, const Value &value) {
  object[std::string(key)] = to_json(value);
  if (const std::optional<std::string> bytes = bytes_of(value)) object[std::string(key) + "_bytes"] = *bytes;
}

inline void put_fields(Json &object, const std::vector<NamedValue> &fields) {
  for (const NamedValue &field : fields) put_field(object, field.column->key, field.value);
}

// One line; what is not UTF-8 becomes U+FFFD, and a hidden character \u200b: it may go to a terminal.
std::string dump(const Json &json);

}  // namespace strata
