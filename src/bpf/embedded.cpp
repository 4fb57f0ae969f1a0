// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/embedded.h"

#include <vector>

#include "base/gzip.h"

namespace strata {
namespace {

std::vector<unsigned char> &inflated() {
  static std::vector<unsigned char> object;
  return object;
}

}  // namespace

const void *inflate_object(std::span<const unsigned char> gzip, size_t *size) {
  std::vector<unsigned char> &object = inflated();
  constexpr size_t kMostBytes = 64 << 20;  // no object is near it
  *size = gunzipped_size(gzip);
  if (*size <= kMostBytes) object.resize(*size);
  if (*size <= kMostBytes && gunzip(gzip, object)) return object.data();
  *size = 0;
  return nullptr;
}

void free_inflated() { inflated() = {}; }

}  // namespace strata
