// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The JSON library, and our values in it. Included only by the few .cpp files that write JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/field.h"
#include "model/printed.h"
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

Json to_json(const Datum &datum);

// What KEY cannot show to every reader, in ASCII under KEY and a suffix, which stands behind it: a text that is not
// UTF-8 as base64, and an integer that a double cannot hold as its digits.
struct Whole {
  std::string_view suffix;  // "_bytes" or "_digits"; empty: KEY shows it
  std::string text;
};
Whole whole(const Value &value);

void put_field(Json &object, std::string_view key, const Value &value);
void put_field(Json &object, std::string_view key, const Datum &datum);
void put_fields(Json &object, const std::vector<NamedValue> &fields);

// One line; what is not UTF-8 becomes U+FFFD, and a hidden character \u200b: it may go to a terminal.
std::string dump(const Json &json);

}  // namespace strata
