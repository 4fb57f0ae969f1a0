// The manual of strata cachestat.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kCachestatManual =
    "What files hold is kept in memory, in pages of usually 4 KiB, as long as there is room: the page cache. A read of "
    "a page that is there takes a microsecond, of one that is not a disk's time.\n\n"
    "TODO\n";

}  // namespace strata
