#include "bpf/embedded.h"

#include <zlib.h>

#include <vector>

namespace strata {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // what inflateInit2() expects for gzip's header and trailer
constexpr size_t kSizeBytes = 4;       // the trailer ends with the size, little endian

size_t size_in_trailer(std::span<const unsigned char> gzip) {
  size_t size = 0;
  for (size_t i = 0; i < kSizeBytes && i < gzip.size(); ++i) size = size << 8 | gzip[gzip.size() - 1 - i];
  return size;
}

bool inflate_all(std::span<const unsigned char> gzip, std::span<unsigned char> out) {
  z_stream stream = {};
  stream.next_in = const_cast<unsigned char *>(gzip.data());  // zlib only reads it
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  if (inflateInit2(&stream, kGzip) != Z_OK) return false;
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return result == Z_STREAM_END && stream.avail_out == 0;
}

std::vector<unsigned char> &inflated() {
  static std::vector<unsigned char> object;
  return object;
}

}  // namespace

const void *inflate_object(std::span<const unsigned char> gzip, size_t *size) {
  std::vector<unsigned char> &object = inflated();
  constexpr size_t kMostBytes = 64 << 20;  // no object is near it
  *size = size_in_trailer(gzip);
  if (*size <= kMostBytes) object.resize(*size);
  if (*size <= kMostBytes && inflate_all(gzip, object)) return object.data();
  *size = 0;
  return nullptr;
}

void free_inflated() { inflated() = {}; }

}  // namespace strata
