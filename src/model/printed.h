// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program of the probe language shows, for people and as data: a line of JSON has its type, and `data` in the
// form that bpftrace gives it, whose callers read it.
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
  std::variant<std::monostate, std::string, uint64_t, int64_t, bool, List, Object> held = {};  // or null
};

inline void Datum::Object::add(std::string key, Datum value) {
  keys.push_back(std::move(key));
  values.push_back(std::move(value));
}

enum class PrintedData : uint8_t { kText, kAny, kMap, kHistograms, kSeries, kStats };
struct PrintedType {
  std::string_view name;
  PrintedData data;
  std::string_view help;
};
inline constexpr PrintedType kPrintfLine = {"printf", PrintedData::kText, "what printf() printed"},
                             kValueLine = {"value", PrintedData::kAny, "a value that print() printed"},
                             kMapLine = {"map", PrintedData::kMap, "a map: its name, and its value or values by key"},
                             kHistLine = {"hist", PrintedData::kHistograms, "a map of hist() or lhist(): its buckets"},
                             kSeriesLine = {"tseries", PrintedData::kSeries, "a map of tseries(): its intervals"},
                             kStatsLine = {"stats", PrintedData::kStats, "a map of stats()"},
                             kTimeLine = {"time", PrintedData::kText, "what time() printed"},
                             kCatLine = {"cat", PrintedData::kText, "what cat() read"},
                             kJoinLine = {"join", PrintedData::kText, "what join() printed"},
                             kNotifyLine = {"notify", PrintedData::kText, "all probes are attached"};
// For bpftrace's form: of a map of averages, and to how many places probes are attached.
inline constexpr PrintedType kAverageLine = {"map", PrintedData::kMap, kMapLine.help},
                             kAttachedLine = {"attached_probes", PrintedData::kMap, "to how many places"};

struct Printed {
  const PrintedType *type = nullptr;  // nullptr: of text alone, or of `row`
  Datum data = {};
  std::string text;
  Datum::Object row = {};  // instead of data, an event with these keys
};

}  // namespace strata
