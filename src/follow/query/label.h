// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a request asks for, from its first bytes: "SELECT a FROM t WHERE b = ?", "GET /index.html", "16 commands". The
// protocol is told by the bytes themselves. They are anybody's: nothing of them is trusted, and what is not understood
// has no label.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace strata {

// Labels of a connection's prepared statements, by name (PostgreSQL), or by the number of the server's answer (MySQL).
class Statements {
 public:
  static constexpr size_t kMost = 256;

  void put(std::string_view name, const std::string &label);
  void put_last(const std::string &label) { last_ = label; }  // its name is not known yet
  void name_last(std::string_view name);
  [[nodiscard]] const std::string *find(std::string_view name) const;
  [[nodiscard]] const std::string &last() const { return last_; }
  [[nodiscard]] bool empty() const { return labels_.empty() && last_.empty(); }
  void take(Statements &&others);

 private:
  std::map<std::string, std::string, std::less<>> labels_;
  std::string last_;
};

enum class Literals : uint8_t { kHidden, kShown };  // values within a statement, keys, query strings

struct RequestBytes {
  std::string_view first;  // as many as were taken
  uint64_t read;           // as many as were read, of which those are the first
};

constexpr size_t kMostLabel = 128;                 // bytes
constexpr std::string_view kStartUp = "start-up";  // of a connection of PostgreSQL

// At most kMostLabel bytes, without control characters.
std::optional<std::string> label_of(const RequestBytes &bytes, Literals literals, Statements &statements);

// Of a request that is not labelled: what it prepares, which the beginning of a read says. MySQL's header may have been
// read before.
void learn_statement(std::string_view read, Literals literals, Statements &statements);
// And its answer: the number, by which MySQL executes it.
void learn_number(std::string_view answer, Statements &statements);

}  // namespace strata
