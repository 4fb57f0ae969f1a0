#include "base/gzip.h"

#include <zlib.h>

#include <new>

namespace strata {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // what both sides of zlib expect for gzip's header and trailer
constexpr int kMemory = 8;             // zlib's own default
constexpr size_t kSizeBytes = 4;       // the trailer ends with the size, little endian

}  // namespace

std::string gzipped(std::string_view bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  int result = Z_OK;
  do {  // in pieces: zlib counts what it is given in 32 bits
    if (stream.avail_in == 0) {
      constexpr size_t kPiece = 1 << 30;
      const std::string_view piece = bytes.substr(0, kPiece);
      stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(piece.size());
      bytes.remove_prefix(piece.size());
    }
    char room[16'384];
    stream.next_out = reinterpret_cast<Bytef *>(room);
    stream.avail_out = sizeof(room);
    result = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(room, sizeof(room) - stream.avail_out);
  } while (result != Z_STREAM_END);
  deflateEnd(&stream);
  return out;
}

size_t gunzipped_size(std::span<const unsigned char> gzip) {
  size_t size = 0;
  for (size_t i = 0; i < kSizeBytes && i < gzip.size(); ++i) size = size << 8 | gzip[gzip.size() - 1 - i];
  return size;
}

bool gunzip(std::span<const unsigned char> gzip, std::span<unsigned char> out) {
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

}  // namespace strata
