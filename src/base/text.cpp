// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/format.h"
#include "base/utf8.h"

namespace strata {
namespace {

bool all_plain(const char *eight_bytes) {
  uint64_t eight = 0;
  memcpy(&eight, eight_bytes, sizeof(eight));
  return not_plain(eight) == 0;
}

std::string three_digits(double value, std::string_view unit) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return formatted("{:.{}f}{}", value, decimals, unit);
}

// "00", "01", ... "99".
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs = {};
  for (size_t i = 0; i < pairs.size(); i++) pairs[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
  return pairs;
}();

// A unit of time, and how many digits a time in it has behind the point: two below `ten`, one below `hundred`.
struct Scale {
  uint64_t ns, ten, hundred;
  char name[2];  // "s" with a space behind
  uint8_t name_bytes;
};
constexpr Scale scale_of(uint64_t ns, const char (&name)[3]) {
  return {ns, ns / 1000 * 9995, ns / 1000 * 99950, {name[0], name[1]}, static_cast<uint8_t>(name[1] == ' ' ? 1 : 2)};
}
constexpr Scale kScales[] = {scale_of(1000, "us"), scale_of(1'000'000, "ms"), scale_of(1'000'000'000, "s ")};

// A number in the middle between two texts becomes the upper one if its double is above the middle, or if that has no
// other double and the upper text is even: as fmt and printf have it.
// A middle of that many seconds is a multiple of 2^8, and exact as a double for 73 years.
bool goes_up(uint64_t ns, uint64_t unit, uint64_t lower) {
  const auto exact = static_cast<double>(ns), in_unit = static_cast<double>(unit);
  const double above = std::fma(exact / in_unit, in_unit, -exact);
  return above > 0 || (above == 0 && lower % 2 != 0);
}

}  // namespace

// Eight bytes at a time, the last eight perhaps for the second time.
size_t plain_prefix(std::string_view text) {
  size_t at = 0;
  while (at + 8 <= text.size() && all_plain(text.data() + at)) at += 8;
  if (at + 8 > text.size() && text.size() >= 8 && all_plain(text.data() + text.size() - 8)) return text.size();
  while (at < text.size() && is_plain(text[at])) at++;
  return at;
}

std::string printable(std::string_view text) {
  const size_t plain = plain_prefix(text);
  std::string out(text.substr(0, plain));
  text.remove_prefix(plain);
  while (!text.empty()) {
    const Character first = first_character(text);
    const size_t length = first.length == 0 ? 1 : first.length;
    if (first.length != 0 && !is_hidden(first.code_point)) {
      out.append(text.substr(0, length));
    } else {
      for (const char c : text.substr(0, length)) out += formatted("\\x{:02x}", static_cast<uint8_t>(c));
    }
    text.remove_prefix(length);
  }
  return out;
}

size_t cells(std::string_view printable_text) {
  size_t count = plain_prefix(printable_text);
  for (const char c : printable_text.substr(count)) count += (static_cast<uint8_t>(c) & 0xc0) != 0x80;
  return count;
}

size_t decimal_digits(uint64_t number) {
  size_t digits = 1;
  if (number >= 100'000) {
    for (; number >= 10'000; number /= 10'000) digits += 4;
  }
  return digits + (number >= 10'000) + (number >= 10) + (number >= 100) + (number >= 1000);
}

char *write_digits(char *out, uint64_t number, size_t digits) {
  char *const end = out + digits;
  char *at = end;
  for (; number > UINT32_MAX; number /= 100) memcpy(at -= 2, &kPairs[number % 100 * 2], 2);
  auto rest = static_cast<uint32_t>(number);
  for (; rest >= 100; rest /= 100) memcpy(at -= 2, &kPairs[rest % 100 * 2], 2);
  if (rest >= 10) {
    memcpy(out, &kPairs[rest * 2], 2);
  } else {
    *out = static_cast<char>('0' + rest);
  }
  return end;
}

char *write_decimal(char *out, uint64_t number) { return write_digits(out, number, decimal_digits(number)); }

// With integers.
char *write_scaled_ns(char *out, uint64_t ns) {
  if (ns < 1000) {
    out = write_decimal(out, ns);
    memcpy(out, "ns", 2);
    return out + 2;
  }
  const Scale &scale = kScales[(ns >= 999'500) + (ns >= 999'500'000)];
  const bool two = ns < scale.ten, one = ns < scale.hundred;
  const uint64_t step = two ? scale.ns / 100 : one ? scale.ns / 10 : scale.ns;
  uint64_t rounded = ns / step;
  const uint64_t twice_rest = ns % step * 2;
  if (twice_rest > step || (twice_rest == step && goes_up(ns, scale.ns, rounded))) rounded++;
  if (two) {
    out[0] = static_cast<char>('0' + rounded / 100);
    out[1] = '.';
    memcpy(out + 2, &kPairs[rounded % 100 * 2], 2);
    out += 4;
  } else if (one) {
    memcpy(out, &kPairs[rounded / 10 * 2], 2);
    out[2] = '.';
    out[3] = static_cast<char>('0' + rounded % 10);
    out += 4;
  } else {
    out = write_decimal(out, rounded);
  }
  memcpy(out, scale.name, 2);
  return out + scale.name_bytes;
}

std::string scaled_ns(uint64_t ns) {
  char text[kMostScaled];
  return {text, write_scaled_ns(text, ns)};
}

std::string scaled_bytes(uint64_t bytes) {
  if (bytes < 1024) {
    char text[8];
    char *const end = write_decimal(text, bytes);
    *end = 'B';
    return {text, end + 1};
  }
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  auto value = static_cast<double>(bytes);
  while (value >= 1023.5 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    unit++;
  }
  if (value == std::floor(value)) return formatted("{:.0f}{}", value, kUnits[unit]);
  return three_digits(value, kUnits[unit]);
}

std::string percent_text(double percent) {
  if (percent > 0 && percent < 0.05) return "<0.1%";
  if (percent < 100 && percent >= 99.95) return "99.9%";
  return formatted("{:.1f}%", percent);
}

bool parse_number(std::string_view text, uint64_t &number) {
  int shift = 0;
  if (!text.empty()) {
    constexpr std::string_view kSuffixes = "kKmMgG";
    const size_t suffix = kSuffixes.find(text.back());
    if (suffix != std::string_view::npos) {
      shift = 10 * (static_cast<int>(suffix) / 2 + 1);
      text.remove_suffix(1);
    }
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > UINT64_MAX >> shift) return false;
  number = value << shift;
  return true;
}

bool parse_duration_ns(std::string_view text, uint64_t &ns) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) return false;
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  constexpr struct {
    std::string_view name;
    double ns;
  } kUnits[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"m", 6e10}, {"h", 3.6e12}};
  for (const auto &known : kUnits) {
    if (unit != known.name || value * known.ns > 9e18) continue;
    ns = static_cast<uint64_t>(std::llround(value * known.ns));
    return true;
  }
  return false;
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view three = bytes.substr(at, 3);
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; i++) bits = bits << 8 | (i < three.size() ? static_cast<uint8_t>(three[i]) : 0);
    for (size_t i = 0; i < 4; i++) out += i <= three.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string padded(std::string_view printable_text, int width) {
  std::string out(printable_text);
  pad_from(out, 0, cells(out), width);
  return out;
}

void pad_from(std::string &out, size_t start, size_t used, int width) {
  const size_t wanted = static_cast<size_t>(std::abs(width));
  if (used < wanted) out.insert(width < 0 ? out.size() : start, wanted - used, ' ');
}

std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (!lines.back().empty() && cells(lines.back()) + 1 + cells(word) > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + std::string(word);
  }
  return lines;
}

}  // namespace strata
