// A file of gzip in memory: the same bytes each time, without a name or a date.
#pragma once

#include <string>
#include <string_view>

namespace strata {

std::string gzipped(std::string_view bytes);  // throws std::bad_alloc

}  // namespace strata
