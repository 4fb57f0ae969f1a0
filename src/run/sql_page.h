// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What strata help sql prints: the tables of -o sql, and questions to them.
#pragma once

#include <string_view>

namespace strata {

std::string_view sql_page();

}  // namespace strata
