// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "base/gzip.h"

#include <zlib.h>

#include <new>
#include <utility>

namespace strata {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;   // what both sides of zlib expect for gzip's header and trailer
constexpr int kMemory = 8;              // zlib's own default
constexpr size_t kSizeBytes = 4;        // the trailer ends with the size, little endian
constexpr size_t kMostPiece = 1 << 30;  // zlib counts what it is given in 32 bits

// Where it stays: zlib knows a stream by its address.
void begin(z_stream &stream, int level) {
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
}

// All of it, up to the end or to a place from which a reader can go on: what there is room for is not full then.
std::string deflated(z_stream &stream, std::string_view bytes, int flush) {
  std::string out;
  do {
    const std::string_view piece = bytes.substr(0, kMostPiece);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));  // zlib only reads it
    stream.avail_in = static_cast<uInt>(piece.size());
    bytes.remove_prefix(piece.size());
    do {
      char room[16'384];
      stream.next_out = reinterpret_cast<Bytef *>(room);
      stream.avail_out = sizeof(room);
      deflate(&stream, bytes.empty() ? flush : Z_NO_FLUSH);
      out.append(room, sizeof(room) - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
  return out;
}

}  // namespace

std::string gzipped(std::string_view bytes) {
  z_stream stream = {};
  begin(stream, Z_BEST_COMPRESSION);
  std::string out = deflated(stream, bytes, Z_FINISH);
  deflateEnd(&stream);
  return out;
}

void Gzip::End::operator()(z_stream *stream) const {
  deflateEnd(stream);
  delete stream;
}

Gzip::Gzip() : stream_(new z_stream{}) { begin(*stream_, Z_BEST_SPEED); }

std::string Gzip::add(std::string_view bytes) {
  return bytes.empty() ? std::string() : deflated(*stream_, bytes, Z_SYNC_FLUSH);
}

std::string Gzip::end() { return deflated(*stream_, {}, Z_FINISH); }

void Gunzip::End::operator()(z_stream *stream) const {
  inflateEnd(stream);
  delete stream;
}

Gunzip::Gunzip() : stream_(new z_stream{}) {
  if (inflateInit2(stream_.get(), kGzip) != Z_OK) throw std::bad_alloc();
}

bool Gunzip::take(std::string_view &bytes, std::string &out, size_t most) {
  if (bytes.empty() && ended_) return true;
  if (std::exchange(ended_, false)) inflateReset(stream_.get());
  const size_t had = out.size();
  out.resize(had + most);
  const std::string_view piece = bytes.substr(0, kMostPiece);
  stream_->next_in = reinterpret_cast<Bytef *>(const_cast<char *>(piece.data()));  // zlib only reads it
  stream_->avail_in = static_cast<uInt>(piece.size());
  stream_->next_out = reinterpret_cast<Bytef *>(out.data() + had);
  stream_->avail_out = static_cast<uInt>(most);
  const int result = inflate(stream_.get(), Z_SYNC_FLUSH);
  out.resize(had + most - stream_->avail_out);
  bytes.remove_prefix(piece.size() - stream_->avail_in);
  ended_ = result == Z_STREAM_END;
  return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
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
