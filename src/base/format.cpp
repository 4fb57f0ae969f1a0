// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#define FMT_HEADER_ONLY
#define FMT_STATIC_THOUSANDS_SEPARATOR ','  // no locale
#include "base/format.h"

#include <fmt/format.h>

namespace strata {

std::string format_values(fmt::string_view format, fmt::format_args values) { return fmt::vformat(format, values); }

}  // namespace strata
