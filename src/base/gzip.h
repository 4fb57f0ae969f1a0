// A file of gzip in memory: the same bytes each time, without a name or a date.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace strata {

std::string gzipped(std::string_view bytes);  // throws std::bad_alloc

// Back again, of a file below 4 GiB: how many bytes it says that it was, and false if these are not they.
size_t gunzipped_size(std::span<const unsigned char> gzip);
bool gunzip(std::span<const unsigned char> gzip, std::span<unsigned char> out);

}  // namespace strata
