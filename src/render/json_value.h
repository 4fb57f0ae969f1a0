// The JSON library, and our values in it. Included only by the few .cpp files that write JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

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

inline void put_fields(Json &object, const std::vector<NamedValue> &fields) {
  for (const NamedValue &field : fields) object[std::string(field.column->key)] = to_json(field.value);
}

// One line; what is not UTF-8 becomes U+FFFD, and a hidden character \u200b: it may go to a terminal.
std::string dump(const Json &json);

}  // namespace strata
