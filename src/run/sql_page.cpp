// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/sql_page.h"

#include "sql.manual.h"

namespace strata {

std::string_view sql_page() { return kManual; }

}  // namespace strata
