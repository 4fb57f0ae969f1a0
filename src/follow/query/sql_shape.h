// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A statement without its values: literals become ?, so that statements that differ by them are one, and no value of a
// customer is shown. It may be cut off anywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

enum class SqlDialect : uint8_t { kPostgres, kMysql };

// "SELECT a FROM t WHERE b = 'x' AND c IN (1, 2)" -> "SELECT a FROM t WHERE b = ? AND c IN (?)". Comments are left out,
// as they may have values. Where the end of a literal depends on the server's settings, all that follows it is one ?.
std::string sql_shape(std::string_view sql, SqlDialect dialect);

}  // namespace strata
