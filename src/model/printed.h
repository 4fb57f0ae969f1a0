// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program of the probe language shows, for people and as data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace strata {

struct Datum {
  using List = std::vector<Datum>;
  struct Object {  // apart: a pair with a Datum would have to be known in full here
    std::vector<std::string> keys;
    List values;

    void add(std::string key, Datum value);
  };
  std::variant<std::string, uint64_t, int64_t, bool, List, Object> held;
};

inline void Datum::Object::add(std::string key, Datum value) {
  keys.push_back(std::move(key));
  values.push_back(std::move(value));
}

struct Printed {
  std::string_view type;  // "printf", "value", "time", "map", "hist", "stats", as bpftrace's JSON has it
  Datum data;
  std::string text;
};

}  // namespace strata
