// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The constant of BPF programs that count in pages.
#pragma once

#include <unistd.h>

#include <bit>
#include <cstdint>

#include "bpf/object.h"

namespace strata {

inline void set_page_shift(Object &object, const char *constant = "page_shift") {
  object.set_constant(constant, static_cast<uint32_t>(std::countr_zero(static_cast<uint64_t>(getpagesize()))));
}

}  // namespace strata
