// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/gzip.h"

#include <zlib.h>

#include "base/test.h"

namespace strata {
namespace {

std::string inflated(const std::string &gzip, size_t size) {
  std::string out(size, '\0');
  z_stream stream = {};
  REQUIRE(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = static_cast<uInt>(out.size() + 1);  // the zero behind it: more than `size` would show
  REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  REQUIRE(stream.avail_in == 0);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

}  // namespace

TEST_CASE("what is compressed piece by piece comes back before it has an end, and behind another") {
  Gzip one, other;
  std::string begun = one.add("first\n");
  begun += one.add("");
  begun += one.add(std::string(50'000, 'x') + "\n");
  std::string whole = begun + one.end();
  whole += other.add("other\n");
  whole += other.end();
  const auto read = [](std::string_view bytes, size_t piece) {
    Gunzip gunzip;
    std::string out;
    while (!bytes.empty()) {
      std::string_view some = bytes.substr(0, piece);
      bytes.remove_prefix(some.size());
      for (size_t had = std::string::npos; !some.empty() || had != out.size();) {
        had = out.size();
        REQUIRE(gunzip.take(some, out, 1000));
      }
    }
    return out;
  };
  const std::string first = "first\n" + std::string(50'000, 'x') + "\n";
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{1 << 20}}) {
    CHECK(read(begun, piece) == first);
    CHECK(read(whole, piece) == first + "other\n");
  }
  CHECK(Gzip().end().size() == 20);  // of nothing
}

TEST_CASE("what is no gzip") {
  Gunzip gunzip;
  std::string out;
  std::string_view bytes = "strata-recording 2\n";
  CHECK_FALSE(gunzip.take(bytes, out, 100));
}

TEST_CASE("what is compressed comes back") {
  std::string long_one;
  for (uint32_t i = 0, random = 1; i < 300'000; i++)
    long_one += static_cast<char>((random = random * 1664525 + 1) >> 24);
  for (const std::string &text : {std::string(), std::string("a"), std::string(100'000, 'x'), long_one}) {
    CHECK(inflated(gzipped(text), text.size()) == text);
    CHECK(gzipped(text) == gzipped(text));
  }
  CHECK(gzipped(std::string(100'000, 'x')).size() < 300);
}

}  // namespace strata
