#define FMT_HEADER_ONLY
#define FMT_STATIC_THOUSANDS_SEPARATOR ','  // no locale
#include "base/format.h"

#include <fmt/format.h>

namespace strata {

std::string format_values(fmt::string_view format, fmt::format_args values) { return fmt::vformat(format, values); }

}  // namespace strata
