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
  static constexpr size_t kMost = 256;  // then the one goes that was not asked for for longest

  void put(std::string_view name, const std::string &label);
  const std::string *find(std::string_view name);
  [[nodiscard]] bool empty() const { return labels_.empty() && unnumbered_.empty(); }
  void take(Statements &&others);

  // MySQL's, whose number is not known yet: of several in one request the first, which is answered first.
  void put_unnumbered(const std::string &label);
  // A request is looked at, at that time: what it prepares is waited for from now on, and nothing from before.
  void begin(uint64_t ns);
  // The answer to the request of that time. Numbers of a connection grow: else it is another connection.
  void number(uint32_t number, uint64_t ns);

 private:
  struct Known {
    std::string label;
    uint64_t used;
  };
  std::map<std::string, Known, std::less<>> labels_;
  std::string unnumbered_;
  uint64_t uses_ = 0, unnumbered_ns_ = 0;
  uint32_t greatest_ = 0;
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
// And its answer: the number, by which MySQL executes it. `ns`: when that request was told of.
void learn_number(std::string_view answer, uint64_t ns, Statements &statements);

}  // namespace strata
