// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/gate_file.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/toml_file.h"

namespace strata {
namespace {

class Reader {
 public:
  Reader(const std::string &file, std::string_view text) : file_(file), toml_(file, text) {}

  GateFile read();

 private:
  [[nodiscard]] bool flag_of(const toml::table &table, std::string_view key) const;
  [[nodiscard]] Gate gate_of(const toml::table &table) const;

  const std::string &file_;
  TomlFile toml_;
  uint64_t least_ = 0;  // of all gates that do not say it
};

// True if it is not there.
bool Reader::flag_of(const toml::table &table, std::string_view key) const {
  const toml::node *node = table.get(key);
  if (node == nullptr) return true;
  const toml::value<bool> *flag = node->as_boolean();
  if (flag == nullptr) toml_.fail(node->source(), std::string(key) + " of a gate is true or false");
  return flag->get();
}

Gate Reader::gate_of(const toml::table &table) const {
  constexpr std::string_view kKeys[] = {"that", "name", "least", "baseline"};
  toml_.check_keys(table, kKeys);
  const toml::node *that = table.get("that");
  if (that == nullptr) toml_.fail(table.source(), "the gate has no `that`: what has to hold");
  return Gate(Demand{.that = toml_.text_of(table, "that"),
                     .name = toml_.text_of(table, "name"),
                     .least = toml_.number_of(table, "least", TomlFile::kMostNumber).value_or(least_),
                     .place = toml_.place(that->source()),
                     .compared = flag_of(table, "baseline")});
}

GateFile Reader::read() {
  constexpr std::string_view kKeys[] = {"gate", "baseline", "repeat", "least"};
  const toml::table all = toml_.parse();
  toml_.check_keys(all, kKeys);
  GateFile result = {
      .gates = {}, .repeat = toml_.number_of(all, "repeat", kMostRuns), .baseline = toml_.text_of(all, "baseline")};
  if (!result.baseline.empty()) result.baseline = std::filesystem::path(file_).replace_filename(result.baseline);
  least_ = toml_.number_of(all, "least", TomlFile::kMostNumber).value_or(0);
  toml_.each_table(all, "gate", [&](const toml::table &gate) { result.gates.push_back(gate_of(gate)); });
  return result;
}

}  // namespace

GateFile parse_gate_file(const std::string &file, std::string_view text) { return Reader(file, text).read(); }

GateFile read_gate_file(const std::string &file) {
  return parse_gate_file(file, whole_file(file, "the gates " + printable(file), kMostOfFile, kUsageStatus));
}

}  // namespace strata
