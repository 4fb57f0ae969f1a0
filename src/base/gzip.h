// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Files of gzip, in memory and piece by piece: the same bytes each time, without a name or a date.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct z_stream_s;

namespace strata {

// A file that grows. What add() gives can be read back before there is an end; a file may have several behind each
// other.
class Gzip {
 public:
  Gzip();  // quick rather than small; throws std::bad_alloc

  std::string add(std::string_view bytes);
  std::string end();

 private:
  struct End {
    void operator()(z_stream_s *stream) const;
  };
  std::unique_ptr<z_stream_s, End> stream_;
};

// The way back.
class Gunzip {
 public:
  Gunzip();  // throws std::bad_alloc

  // Of the bytes that are behind those of the calls before; takes what it reads from them, and appends to `out` at most
  // so many. False: they are no gzip. Nothing more comes of them if neither changes.
  [[nodiscard]] bool take(std::string_view &bytes, std::string &out, size_t most);

 private:
  struct End {
    void operator()(z_stream_s *stream) const;
  };
  std::unique_ptr<z_stream_s, End> stream_;
  bool ended_ = false;  // with a file; another may follow
};

std::string gzipped(std::string_view bytes);  // throws std::bad_alloc

// Back again, of a file below 4 GiB: how many bytes it says that it was, and false if these are not they.
size_t gunzipped_size(std::span<const unsigned char> gzip);
bool gunzip(std::span<const unsigned char> gzip, std::span<unsigned char> out);

}  // namespace strata
