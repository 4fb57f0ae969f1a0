// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Strings that came from elsewhere made safe, numbers made readable, and text made into numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strata {

// A fixed-size field of a wire record: up to its first zero byte, or all of it.
template <size_t N>
std::string cstr(const char (&field)[N]) {
  return std::string(field, strnlen(field, N));
}

template <size_t N>
std::string_view chars(const char (&field)[N]) {
  return {field, strnlen(field, N)};
}

// Safe for a terminal: bytes of hidden characters (base/utf8.h) and of invalid UTF-8 become \x1b; the rest stays.
std::string printable(std::string_view text);
// Plain is what looks like itself everywhere: ' ' to '~' without the backslash, which begins escapes.
constexpr bool is_plain(char c) { return c >= ' ' && c < 0x7f && c != '\\'; }
// Of eight bytes, those that are not plain: 0 if there is none. A borrow from the byte below can only add to what is
// found.
constexpr uint64_t not_plain(uint64_t eight) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  return ((eight - ' ' * kOnes) | eight | (eight + kOnes) | ((eight ^ '\\' * kOnes) - kOnes)) & 0x80 * kOnes;
}
size_t plain_prefix(std::string_view text);     // how many bytes from the beginning are plain
size_t cells(std::string_view printable_text);  // columns that it takes on a terminal: one for each code point

// Without a terminating zero; the end is returned. Behind a scaled time may be a space, within kMostScaled.
inline constexpr size_t kMostDigits = 20, kMostScaled = 16;
size_t decimal_digits(uint64_t number);
char *write_decimal(char *out, uint64_t number);                // at most kMostDigits
char *write_digits(char *out, uint64_t number, size_t digits);  // of so many
char *write_scaled_ns(char *out, uint64_t ns);                  // as scaled_ns(), at most kMostScaled

std::string scaled_ns(uint64_t ns);        // "0ns", "999ns", "38.2us", "1.23ms", "61.0s", "3600s"
std::string scaled_bytes(uint64_t bytes);  // "512B", "4KiB", "1.5KiB", "64MiB"
// One decimal; "100.0%" is all and "0.0%" is nothing: what is nearly so is "99.9%" or "<0.1%".
std::string percent_text(double percent);

// False, and no change, if the text is not exactly one number in range.
[[nodiscard]] bool parse_number(std::string_view text, uint64_t &number);   // "12", "4k", "1M", "2G" (powers of 1024)
[[nodiscard]] bool parse_duration_ns(std::string_view text, uint64_t &ns);  // "500ms", "2s", "1.5", "1m", "1h"

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }  // of ASCII
bool equal_in_any_case(std::string_view a, std::string_view b);

std::string base64(std::string_view bytes);  // RFC 4648, with padding

std::vector<std::string_view> split(std::string_view text, char separator);  // "a,b" -> {"a", "b"}; "" -> {""}
inline std::vector<std::string_view> split_commas(std::string_view text) { return split(text, ','); }

template <typename Strings>                                         // of any kind
std::string join(const Strings &parts, std::string_view between) {  // {"", "b"}, "," -> ",b"
  std::string text;
  bool first = true;
  for (const auto &part : parts) {
    if (!std::exchange(first, false)) text += between;
    text += part;
  }
  return text;
}
template <typename Strings>
std::string comma_list(const Strings &names) {  // {"a", "b"} -> "a, b"
  return join(names, ", ");
}

// "   abc" or, with a negative width as in Field, "abc   ".
std::string padded(std::string_view printable_text, int width);
void pad_from(std::string &out, size_t start, size_t used, int width);  // `used` cells, which `out` has from `start` on

// Lines of at most `width` cells, broken at spaces; a longer word stays whole.
std::vector<std::string> wrapped(std::string_view printable_text, size_t width);

}  // namespace strata
