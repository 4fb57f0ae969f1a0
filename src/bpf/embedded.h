// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The BPF objects that the binary holds, each once and compressed: as they are they would be half of it. The Makefile
// has bpftool's skeletons call this for their bytes.
#pragma once

#include <cstddef>
#include <span>

namespace strata {

// The file that was compressed with gzip, and its size. It is valid until free_inflated() or the next call, which
// is long enough: libbpf keeps nothing of an object's file once it is open. nullptr and 0 if these bytes are no such
// file.
const void *inflate_object(std::span<const unsigned char> gzip, size_t *size);
void free_inflated();  // where its memory is missed before the next call

}  // namespace strata
