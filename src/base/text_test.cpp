// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/text.h"

#include "base/format.h"
#include "base/test.h"

namespace strata {

TEST_CASE("strings from elsewhere are safe on a terminal") {
  CHECK(printable("plain /path") == "plain /path");
  CHECK(printable("gr\xc3\xbc\xc3\x9f \xe2\x82\xac") == "gr\xc3\xbc\xc3\x9f \xe2\x82\xac");
  CHECK(printable("\x1b[31m\n\x7f") == "\\x1b[31m\\x0a\\x7f");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");                                      // invalid and cut off
  CHECK(printable("\xc0\xaf\xed\xa0\x80") == "\\xc0\\xaf\\xed\\xa0\\x80");           // overlong, surrogate
  CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");                                      // the one-character form of ESC [
  CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");                             // right-to-left override
  CHECK(printable("\xe2\x80\x8b\xef\xbb\xbf") == "\\xe2\\x80\\x8b\\xef\\xbb\\xbf");  // zero width
  CHECK(printable("\xf3\xa0\x81\xa1") == "\\xf3\\xa0\\x81\\xa1");                    // a tag
}

TEST_CASE("the plain prefix ends at the first byte that is not plain, wherever that stands") {
  for (size_t size = 0; size <= 26; size++) {
    for (size_t at = 0; at <= size; at++) {
      for (const char byte : {'\0', '\x1f', '\\', '\x7f', '\x80', '\xff'}) {
        std::string text(size, at % 2 == 0 ? ' ' : '~');
        if (at < size) text[at] = byte;
        CHECK(plain_prefix(text) == at);
      }
    }
  }
  CHECK(cells("eight...\\x01") == 12);
  CHECK(cells("gr\xc3\xbc\xc3\x9f") == 4);
}

TEST_CASE("bytes as base64") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string_view("\0\xff\xfe", 3)) == "AP/+");
}

TEST_CASE("a fixed-size field ends at its first zero byte, or is full") {
  const char full[4] = {'a', 'b', 'c', 'd'};
  const char part[4] = {'a', '\0', 'x', 'x'};
  CHECK(cstr(full) == "abcd");
  CHECK(cstr(part) == "a");
}

TEST_CASE("times and sizes have three significant digits") {
  CHECK(scaled_ns(0) == "0ns");
  CHECK(scaled_ns(999) == "999ns");
  CHECK(scaled_ns(1000) == "1.00us");
  CHECK(scaled_ns(38'212) == "38.2us");
  CHECK(scaled_ns(999'499) == "999us");
  CHECK(scaled_ns(999'500) == "1.00ms");
  CHECK(scaled_ns(9'995'000) == "10.0ms");
  CHECK(scaled_ns(61'000'000'000) == "61.0s");
  CHECK(scaled_bytes(0) == "0B");
  CHECK(scaled_bytes(1023) == "1023B");
  CHECK(scaled_bytes(4096) == "4KiB");
  CHECK(scaled_bytes(1536) == "1.50KiB");
  CHECK(scaled_bytes(UINT64_MAX) == "16EiB");
}

TEST_CASE("a time is written as floating-point numbers would print it") {
  CHECK(scaled_ns(UINT64_MAX) == "18446744074s");
  uint64_t seed = 20261121;
  for (int i = 0; i < 200'000; i++) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    uint64_t ns = seed >> (i % 64);
    if (i % 3 == 0) ns -= ns % 5;  // many in the middle between two texts
    const double value = static_cast<double>(ns);
    const double in_unit = ns < 999'500 ? value / 1e3 : ns < 999'500'000 ? value / 1e6 : value / 1e9;
    const char *unit = ns < 999'500 ? "us" : ns < 999'500'000 ? "ms" : "s";
    const int decimals = in_unit < 9.995 ? 2 : in_unit < 99.95 ? 1 : 0;
    if (ns >= 1000 && scaled_ns(ns) != formatted("{:.{}f}{}", in_unit, decimals, unit)) FAIL(ns);
  }
}

TEST_CASE("a decimal has its digits") {
  for (uint64_t n = 1, digits = 1; digits < 20; n *= 10, digits++) {
    char out[kMostDigits];
    CHECK(decimal_digits(n) == digits);
    CHECK(decimal_digits(n * 10 - 1) == digits);
    CHECK(std::string(out, write_decimal(out, n + 7)) == std::to_string(n + 7));
  }
  CHECK(decimal_digits(0) == 1);
  CHECK(decimal_digits(UINT64_MAX) == kMostDigits);
}

TEST_CASE("only all is 100 %, only nothing is 0 %") {
  CHECK(percent_text(0) == "0.0%");
  CHECK(percent_text(0.000001) == "<0.1%");
  CHECK(percent_text(0.0499) == "<0.1%");
  CHECK(percent_text(0.05) == "0.1%");
  CHECK(percent_text(69.25) == "69.2%");
  CHECK(percent_text(99.94) == "99.9%");
  CHECK(percent_text(99.95) == "99.9%");
  CHECK(percent_text(99.999999) == "99.9%");
  CHECK(percent_text(100) == "100.0%");
}

TEST_CASE("a number is the whole text and fits") {
  uint64_t n = 7;
  CHECK((parse_number("12", n) && n == 12));
  CHECK((parse_number("4k", n) && n == 4096));
  CHECK((parse_number("2G", n) && n == 2ULL << 30));
  CHECK((parse_number("18446744073709551615", n) && n == UINT64_MAX));
  n = 7;
  for (const char *bad :
       {"", "k", "-1", "+1", " 1", "1 ", "1x", "0x10", "1.5", "18446744073709551616", "17179869184G"}) {
    CHECK_FALSE(parse_number(bad, n));
  }
  CHECK(n == 7);
}

TEST_CASE("a duration has a unit, or is in seconds") {
  uint64_t ns = 0;
  CHECK((parse_duration_ns("2", ns) && ns == 2'000'000'000));
  CHECK((parse_duration_ns("0.5", ns) && ns == 500'000'000));
  CHECK((parse_duration_ns("500ms", ns) && ns == 500'000'000));
  CHECK((parse_duration_ns("1m", ns) && ns == 60'000'000'000));
  for (const char *bad : {"", "s", "-1s", "1x", "1 s", "inf", "nan", "1e9", "99999999999h"}) {
    CHECK_FALSE(parse_duration_ns(bad, ns));
  }
}

TEST_CASE("padding counts characters, not bytes") {
  CHECK(padded("ab", 4) == "  ab");
  CHECK(padded("ab", -4) == "ab  ");
  CHECK(padded("\xc3\xbc", -3) == "\xc3\xbc  ");
  CHECK(padded("abcdef", 3) == "abcdef");
}

}  // namespace strata
