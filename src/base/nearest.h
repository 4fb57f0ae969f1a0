// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What somebody may have meant by a word that is not one of those that there are.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace strata {

// Of `words` the one that is as good as it: without regard to case at most one edit for each three letters away, the
// first of the nearest. Empty if there is none.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

// " (did you mean 'openat'?)", or nothing, to end a message with.
std::string meant(std::string_view word, std::span<const std::string_view> words);
std::string meant(std::string_view word, std::span<const std::string> words);

}  // namespace strata
