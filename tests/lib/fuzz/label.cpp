// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any bytes as a request: a label is short and has no control characters, a trace is well formed. As a statement:
// nothing of a string is left.
#include "follow/query/label.h"

#include <algorithm>

#include "follow/query/sql_shape.h"
#include "follow/query/traceparent.h"
#include "fuzz.h"

namespace strata {
namespace {

void check(std::string_view bytes, Literals literals, Statements &statements) {
  const std::string_view trace = traceparent_of(bytes);
  require(trace.empty() || (trace.size() == kTraceparentSize && is_traceparent(trace)));
  const auto label = label_of({.first = bytes, .read = bytes.size()}, literals, statements);
  if (!label) return;
  require(!label->empty() && label->size() <= kMostLabel);
  require(std::ranges::none_of(*label, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }));
}

// Names may have a quote in them.
void check_shape(std::string sql) {
  std::erase_if(sql, [](char c) { return c == '"' || c == '`'; });
  for (const SqlDialect dialect : {SqlDialect::kPostgres, SqlDialect::kMysql}) {
    const std::string shape = sql_shape(sql, dialect);
    require(shape.size() <= sql.size() + 1 && shape.find('\'') == std::string::npos);
  }
}

// Each line is a request of one connection.
void check_all(std::string_view all) {
  check_shape(std::string(all));
  for (const Literals literals : {Literals::kHidden, Literals::kShown}) {
    Statements statements;
    check(all, literals, statements);
    for (const std::string_view bytes : split(all, '\n')) {
      check(bytes, literals, statements);
      learn_statement(bytes, literals, statements);
      learn_number(bytes, 0, statements);
    }
  }
}

}  // namespace
}  // namespace strata

int fuzz_label(const uint8_t *data, size_t size) {
  strata::check_all({reinterpret_cast<const char *>(data), size});
  return 0;
}
