// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A program that does nothing: what the kernel says of it says what it permits.
#pragma once

#include <bpf/bpf.h>

#include "base/fd.h"

namespace strata {

Fd load_nothing(bpf_prog_type type, bpf_prog_load_opts *options = nullptr);  // errno if it has no descriptor

}  // namespace strata
