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
